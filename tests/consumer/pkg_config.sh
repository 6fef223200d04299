#!/bin/sh
# pkg_config.sh PREFIX SOURCE COMPILER [FLAG...]: compiles and runs one file with what pkg-config says.
set -eu
prefix=$1
source=$2
shift 2

pc=$(find "$prefix" -name hannan.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
program=$prefix/own_problem_by_pkg_config

# Word splitting is wanted: pkg-config prints a list of flags.
# shellcheck disable=SC2046
"$@" -std=c++20 "$source" $(pkg-config --cflags --libs hannan) -o "$program"
LD_LIBRARY_PATH=$(pkg-config --variable=libdir hannan) "$program"
