# Makes the Debian packages of a build tree, unpacks them to an empty root, and uses what is there: the program plays, and
# examples/own_problem.cpp is built against the library by find_package.
function(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${said}\n${ARGV} ended with ${status}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()
function(expect text pattern)
  if(NOT "${text}" MATCHES "${pattern}")
    message(FATAL_ERROR "found \"${text}\", expected ${pattern}")
  endif()
endfunction()

file(REMOVE_RECURSE ${scratch})
set(root ${scratch}/root)
run(cpack --config ${build}/CPackConfig.cmake -B ${scratch})
foreach(name hannan libhannan-dev)
  file(GLOB ${name} ${scratch}/${name}_${version}_*.deb)
  list(LENGTH ${name} count)
  expect(${count} "^1$")
  run(dpkg-deb --extract ${${name}} ${root})
  run(dpkg-deb --field ${${name}} Depends)
  expect("${said}" "libfmt.*zlib1g|zlib1g.*libfmt")
endforeach()

# No file is in both packages: dpkg would refuse to install them together.
run(dpkg-deb --contents ${hannan})
foreach(file bin/hannan share/man/man1/hannan.1 share/man/man1/hannan-run.1 share/bash-completion/completions/hannan
             share/zsh/site-functions/_hannan share/hannan/plans/first.toml share/doc/hannan/LICENSE
             lib/systemd/system/hannan.service lib/sysusers.d/hannan.conf share/doc/hannan/service/nginx.conf)
  expect("${said}" "\\./usr/${file}\n")
endforeach()
foreach(extra "/include/" "\\.a\n" "/cmake/")
  if("${said}" MATCHES "${extra}")
    message(FATAL_ERROR "the package of the program holds what belongs to libhannan-dev: ${extra}")
  endif()
endforeach()

run(dpkg-deb --info ${hannan})
foreach(script postinst prerm)
  expect("${said}" " ${script} ")
endforeach()

# The Python package, where it was built: it is imported from where it was unpacked.
if(python)
  file(GLOB python_package ${scratch}/python3-hannan_${version}_*.deb)
  run(dpkg-deb --field ${python_package} Depends)
  expect("${said}" "python3-numpy")
  run(dpkg-deb --contents ${python_package})
  foreach(file __init__.py py.typed _core.pyi)
    expect("${said}" "\\./usr/lib/python3/dist-packages/hannan/${file}\n")
  endforeach()
  run(dpkg-deb --extract ${python_package} ${root})
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${root}/usr/lib/python3/dist-packages ${python} -B -c
      "import hannan\nprint(hannan.__file__)\nhannan.problem('experts', experts=2).learner().play([[0, 1]] * 9)")
  expect("${said}" "${root}/usr/lib/python3/dist-packages/hannan")
endif()

run(${root}/usr/bin/hannan --version)
expect("${said}" "^hannan ${version}")
run(${root}/usr/bin/hannan simulate experts --stream iid --rounds 50 -l leader --json)
run(${CMAKE_COMMAND} -S ${source}/examples -B ${scratch}/examples -G ${generator} -DCMAKE_CXX_COMPILER=${compiler}
    -DCMAKE_PREFIX_PATH=${root}/usr -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
file(STRINGS ${scratch}/examples/CMakeCache.txt found REGEX "^hannan_DIR")
expect("${found}" "${root}/usr/")
run(${CMAKE_COMMAND} --build ${scratch}/examples --target own_problem)
run(${scratch}/examples/own_problem)
