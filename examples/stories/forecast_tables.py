"""Tables for `hannan compare forecasts` from two public data sets: forecast_tables.py DATA OUT.

DATA/opera_load_experts       French weekly load and three models, of the R package opera    OUT/opera.csv
DATA/covid_death_forecasts    US deaths one week ahead, COVID-19 Forecast Hub                OUT/covid_us.csv, OUT/covid_states.csv
DATA/internet2_link_load      hourly loads of a backbone, log10, and ten simple models       OUT/internet2.csv

The hub has cumulative deaths: a row of the tables is the week's increment, forecast and actual less the previous actual.
"""
import csv
import math
import pathlib
import sys


def opera(data, out):
    folder = data / "opera_load_experts"
    actuals = folder.joinpath("targets.csv").read_text().split()[1:]
    said = folder.joinpath("experts.csv").read_text().split()[1:]
    lines = [f"{t},{y},{x}\n" for t, (y, x) in enumerate(zip(actuals, said), 1)]
    (out / "opera.csv").write_text("week,actual,gam,ar,gbm\n" + "".join(lines))


def covid(data, out):
    weeks = []  # (Saturday, {place: cells})
    models = []
    for path in sorted((data / "covid_death_forecasts").glob("projections_*.csv")):
        with path.open(newline="") as file:
            rows = {row.pop(""): row for row in csv.DictReader(file)}
        said = [name for name in next(iter(rows.values())) if name != "actual_deaths" and not name.startswith(("error-", "beat_baseline-"))]
        models += [name for name in said if name not in models]
        weeks.append((path.stem[-10:], rows))
    for name, wanted in (("covid_us.csv", lambda place: place == "US"), ("covid_states.csv", lambda place: place != "US")):
        with (out / name).open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["week", "place", "actual", *models])
            for (_, before), (week, rows) in zip(weeks, weeks[1:]):
                for place, cells in rows.items():
                    if not wanted(place):
                        continue
                    last = float(before[place]["actual_deaths"])
                    less = [f"{float(cells[column]) - last:.10g}" if cells.get(column) else "" for column in ("actual_deaths", *models)]
                    writer.writerow([week, place, *less])


def internet2(data, out):
    """Every sixth link, silent hours (0) as 1 bit/s; forecasts are made from the hours before."""
    hours = []
    for path in sorted((data / "internet2_link_load" / "measurements").glob("*.csv")):
        with path.open(newline="") as file:
            hours.append((path.stem, {f"{row['source_id']}-{row['target_id']}": float(row["throughput"]) for row in csv.DictReader(file)}))
    links = list(hours[0][1])[::6]
    with (out / "internet2.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", "link", "actual", "last", "two_ago", "mean_3", "mean_6", "mean_24", "yesterday", "yesterday_mean_3", "trend",
                         "median_5", "half"])
        for t in range(25, len(hours)):
            stamp = hours[t][0]
            for link in links:
                x = [math.log10(max(loads[link], 1.0)) for _, loads in hours[:t]]
                said = [x[-1], x[-2], sum(x[-3:]) / 3, sum(x[-6:]) / 6, sum(x[-24:]) / 24, x[-24], sum(x[-25:-22]) / 3, 2 * x[-1] - x[-2],
                        sorted(x[-5:])[2], (x[-1] + x[-24]) / 2]
                writer.writerow([f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]} {stamp[8:10]}:00", link, f"{math.log10(max(hours[t][1][link], 1.0)):.6f}",
                                 *(f"{one:.6f}" for one in said)])


def main():
    data, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    opera(data, out)
    covid(data, out)
    internet2(data, out)


if __name__ == "__main__":
    main()
