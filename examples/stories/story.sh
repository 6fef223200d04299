# Read by the stories: where the program, the data and the results are.
#   NAME.sh [DATA] [OUT]
# DATA is the folder of the public data sets, ../shared/data beside this repository where it is left out; a story whose data is
# not there uses simulated data, and says so. Results go to OUT, or to a new folder story_NAME.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
hannan=${HANNAN:-hannan}
data=${1:-$here/../../../shared/data}
out=${2:-story_$(basename "$0" .sh)}
mkdir -p "$out"

# at_hand FOLDER/FILE: is it in DATA? Where it is not, the title of the page says so as well.
simulated=
at_hand() {
  [ -e "$data/$1" ] && return 0
  echo "$data/$1 is not there: what follows is simulated, and its figures mean nothing"
  simulated="Simulated: "
  return 1
}

# play RECORD ARGUMENTS...: a run whose record is then verified by other code, which names what it leaves on trust (status 1)
play() {
  record=$1
  shift
  "$hannan" run "$@" --record "$record" --summary "${record%.jsonl}_summary.json" -p "${record%.jsonl}_decisions.csv" -q
  "$hannan" verify "$record" || [ $? -eq 1 ]
}

# page TITLE FILES-AND-FLAGS...: the report, of every case that the story has
page() {
  title=$simulated$1
  shift
  "$hannan" report "$@" --title "$title" -o "$out/report.html"
}
