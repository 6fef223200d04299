"""One log, written in the styles that people use: the same outcomes, the same money, the same verdict, or one question.

The clean log is written in each style by Python alone; `convert` and `compare` are the commands of docs/decide.md."""
import csv
import datetime
import io
import json
import random

from program import FolderTest, hannan, main

HEADER = ["auction", "buyer", "amount", "when"]
COLUMNS = ["--format", "long", "--round", "auction", "--bidder", "buyer", "--bid", "amount"]


def clean_rows(rounds=240):
    """(auction, buyer, cents, time in UTC): small and large amounts, cents, whole amounts."""
    dice = random.Random(7)
    start = datetime.datetime(2026, 3, 1, 0, 20, tzinfo=datetime.timezone.utc)
    rows = []
    for auction in range(rounds):
        level = 100 * 10 ** dice.uniform(0, 4)
        when = start + datetime.timedelta(minutes=47 * auction)
        for buyer in ("ann", "bob", "cec"):
            cents = round(level * dice.uniform(0.4, 1.6))
            rows.append((auction, buyer, cents - cents % 100 if dice.random() < 0.2 else cents, when))
    return rows


def grouped(whole, mark):
    text = f"{whole:,}"
    return text.replace(",", mark)


def amount(cents, group="", decimal=".", before="", behind=""):
    return f"{before}{grouped(cents // 100, group)}{decimal}{cents % 100:02}{behind}"


# name -> (amount as written, separator of the file)
STYLES = {
    "plain": (lambda c: amount(c), ","),
    "dollars before": (lambda c: amount(c, before="$"), ","),
    "dollars before and commas": (lambda c: amount(c, ",", before="$"), ","),
    "code behind": (lambda c: amount(c, behind=" USD"), ","),
    "code before": (lambda c: amount(c, ",", before="USD "), "\t"),
    "commas": (lambda c: amount(c, ","), ","),
    "commas and semicolons": (lambda c: amount(c, ","), ";"),
    "points and decimal comma": (lambda c: amount(c, ".", ","), ";"),
    "points and decimal comma in quotes": (lambda c: amount(c, ".", ","), ","),
    "spaces and decimal comma": (lambda c: amount(c, " ", ","), ";"),
    "no-break spaces": (lambda c: amount(c, "\u00a0", ",", behind="\u00a0$"), ";"),
    "narrow spaces": (lambda c: amount(c, "\u202f", ","), ";"),
    "apostrophes": (lambda c: amount(c, "'"), ";"),
    "curly apostrophes": (lambda c: amount(c, "\u2019", before="US$ "), ";"),
    "decimal comma alone": (lambda c: amount(c, "", ","), ";"),
    "some dollars": (lambda c: amount(c, before="$" if c % 3 == 0 else ""), ","),
    "commas in large amounts": (lambda c: amount(c, "," if c >= 1000000 else ""), ","),
    "whole amounts without cents": (lambda c: amount(c, ",").removesuffix(".00"), ","),
}

TIMES = {
    "UTC": lambda t: t.strftime("%Y-%m-%dT%H:%M:%SZ"),
    "offsets": lambda t: t.astimezone(datetime.timezone(datetime.timedelta(hours=[2, 0, -5][t.minute % 3]))).isoformat(),
    "no offset": lambda t: t.strftime("%Y-%m-%d %H:%M:%S"),
    "day first": lambda t: t.strftime("%d.%m.%Y %H:%M:%S"),
    "month first": lambda t: t.strftime("%m/%d/%Y %I:%M:%S %p"),
    "year first with slashes": lambda t: t.strftime("%Y/%m/%d %H:%M"),
    "month names": lambda t: t.strftime("%d %b %Y %H:%M"),
    "seconds": lambda t: str(int(t.timestamp())),
    "milliseconds": lambda t: str(int(t.timestamp() * 1000)),
}


def written(rows, money, separator=",", time=TIMES["UTC"]):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(HEADER)
    for auction, buyer, cents, when in rows:
        writer.writerow([auction, buyer, money(cents), time(when)])
    return text.getvalue()


class Styles(FolderTest):
    def both(self, text, *more, name="log.csv"):
        """The outcomes, what the log brought and the verdict."""
        log = self.folder / name
        log.write_text(text, encoding="utf-8")
        out, result = self.folder / "out.jsonl", self.folder / "result.json"
        converted = hannan("convert", log, *COLUMNS, *more, "-o", out, "--summary", self.folder / "summary.json")
        self.assertEqual(converted.status, 0, converted.err)
        compared = hannan("compare", "vcg-reserves", "-d", log, *COLUMNS, *more, "-o", result)
        self.assertEqual(compared.status, 0, compared.err)
        found = json.loads(result.read_text())
        summary = json.loads((self.folder / "summary.json").read_text())
        self.assertEqual(summary["unreadable"]["cells"], 0)
        judged = [player["judgement"] for player in found["players"] if "judgement" in player][0]
        return out.read_bytes(), summary["as_logged"]["rule"], judged["recommendation"], judged["gain"]

    def question(self, text, code, *more, command="compare"):
        log = self.folder / "log.csv"
        log.write_text(text, encoding="utf-8")
        where = ["vcg-reserves", "-d", log] if command == "compare" else [log, "-o", self.folder / "x.jsonl"]
        done = hannan(command, *where, *COLUMNS, *more)
        self.assertEqual(done.status, 3, done.out + done.err)
        self.assertTrue(done.err.startswith(b"hannan: " + code.encode()) or code.encode() in done.err, done.err)
        return done.err.decode()


class Money(Styles):
    def test_every_style_gives_the_same_outcomes_money_and_verdict(self):
        rows = clean_rows()
        plain = self.both(written(rows, STYLES["plain"][0]), "--currency", "USD")
        for name, (money, separator) in STYLES.items():
            with self.subTest(name):
                self.assertEqual(self.both(written(rows, money, separator), "--currency", "USD"), plain)

    def test_a_sign_that_is_one_currency_names_it(self):
        rows = clean_rows(60)
        self.both(written(rows, lambda c: amount(c, behind=" €")))
        self.assertEqual(json.loads((self.folder / "summary.json").read_text())["currency"], "EUR")
        self.both(written(rows, lambda c: amount(c, before="$")))
        self.assertNotIn("currency", json.loads((self.folder / "summary.json").read_text()))

    def test_two_currencies_are_refused(self):
        rows = clean_rows(60)
        self.question(written(rows, lambda c: amount(c, before="$" if c % 2 else "€")), "H211")
        self.question(written(rows, lambda c: amount(c, before="$")), "H211", "--currency", "EUR")
        self.question(written(rows, lambda c: amount(c, behind=" CAD")), "H211", "--currency", "USD")
        self.both(written(rows, lambda c: amount(c, before="$")), "--currency", "CAD")

    def test_what_can_be_read_in_two_ways_is_asked(self):
        rows = [(a, b, max(c, 100000), t) for a, b, c, t in clean_rows(60)]
        for mark in ",.":
            text = written(rows, lambda c: grouped(c // 100, mark), ";")
            err = self.question(text, "H215")
            self.assertIn("log.csv:2", err)
            self.assertIn("--decimal point or --decimal comma", err)
            self.question(text, "H215", command="convert")
        as_groups = self.both(written(rows, lambda c: grouped(c // 100, ","), ";"), "--decimal", "point")
        self.assertEqual(as_groups, self.both(written(rows, lambda c: str(c // 100))))

    def test_cells_that_cannot_be_read_stop_beyond_one_per_cent(self):
        rows = clean_rows(200)  # 600 cells: 6 are 1 %
        def bad(count, word="call me"):
            money = [amount(c) for _, _, c, _ in rows]
            for i in range(count):
                money[50 * i + 3] = word
            cells = iter(money)
            return written(rows, lambda c: next(cells))
        for word in ("call me", "n/a", "tbd", "12k"):
            err = self.question(bad(7, word), "H214")
            for line in (5, 55, 105):
                self.assertIn(f'log.csv:{line}', err)
            self.assertIn(word, err)
            self.assertIn("--accept-hidden", err)
        (self.folder / "log.csv").write_text(bad(6))
        out = hannan("convert", self.folder / "log.csv", *COLUMNS, "-o", self.folder / "o.jsonl", "--summary", self.folder / "s.json", "--accept-hidden")
        self.assertEqual(out.status, 0, out.err)
        self.assertTrue(out.err.startswith(b"WARNING: 6 of 600 cells"), out.err)
        found = json.loads((self.folder / "s.json").read_text())
        self.assertEqual((found["unreadable"]["cells"], found["unreadable"]["of"]), (6, 600))
        self.assertEqual(found["unreadable"]["columns"][0]["column"], "amount")
        self.assertEqual(found["unreadable"]["columns"][0]["examples"][0]["cell"], "call me")
        largest = max(c for i, (_, _, c, _) in enumerate(rows) if i % 50 != 3 or i > 253) / 100
        stage = found["hidden"]["stages"][0]
        self.assertEqual(stage["stage"], "unreadable")
        self.assertAlmostEqual(stage["hidden_paid"], 6 * largest / (found["hidden"]["paid"] + 6 * largest), places=9)

    def test_with_accepted_unreadable_cells_nothing_is_recommended(self):
        rows = clean_rows()
        text = written(rows, lambda c: amount(c) if c % 5 else "twelve")
        self.question(text, "H214")
        done = hannan("compare", "vcg-reserves", "-d", self.folder / "log.csv", *COLUMNS, "--accept-hidden", "-o", self.folder / "r.json")
        self.assertEqual(done.status, 0, done.err)
        for player in json.loads((self.folder / "r.json").read_text())["players"]:
            if "judgement" in player:
                self.assertEqual(player["judgement"]["recommendation"], "cannot tell")

    def test_unquoted_commas_in_amounts_are_not_dropped_in_silence(self):
        rows = clean_rows()
        text = "auction,buyer,amount\n" + "".join(f"{a},{b},{amount(c, ',')}\n" for a, b, c, _ in rows)
        self.assertIn("quotes", self.question(text, "H214"))

    def test_a_pipe_has_plain_numbers_or_says_its_mark(self):
        head = "round,bidder,bid\n"
        how = ["--cap", "8", "--names", "x,y"]
        self.assertEqual(hannan("convert", "-", *how, stdin=(head + "1,x,4\n1,y,2\n").encode()).status, 0)
        refused = hannan("convert", "-", *how, stdin=(head + "1,x,$4\n1,y,2\n").encode())
        self.assertEqual(refused.status, 3)
        self.assertIn(b"H214", refused.err)
        read = hannan("convert", "-", *how, "--decimal", "point", stdin=(head + "1,x,$4\n1,y,2\n").encode())
        self.assertEqual((read.status, read.out), (0, hannan("convert", "-", *how, stdin=(head + "1,x,4\n1,y,2\n").encode()).out))


class Times(Styles):
    HOURS = ["--timestamp", "when", "--by", "@hour,@weekday", "--cap-quantile", "1"]

    def hours(self, text, *more):
        log = self.folder / "log.csv"
        log.write_text(text, encoding="utf-8")
        self.ok("convert", log, *COLUMNS, *self.HOURS, *more, "-o", self.folder / "hours.csv", "-q")
        return (self.folder / "hours.csv").read_bytes()

    def test_sorting_and_hours_do_not_depend_on_how_times_are_written(self):
        # From the 14th of the month on: days are told apart from months.
        rows = [(a, b, c, t + datetime.timedelta(days=13)) for a, b, c, t in clean_rows(120)]
        mixed = rows[:]
        random.Random(9).shuffle(mixed)
        mixed.sort(key=lambda row: row[1])  # rounds are scattered, rows of a bidder in no order of time
        sort = ["--sort-by", "when", "--timestamp", "when"]
        plain = self.both(written(mixed, amount, time=TIMES["UTC"]), *sort)
        hours = self.hours(written(rows, amount, time=TIMES["UTC"]))
        for name, time in TIMES.items():
            with self.subTest(name):
                self.assertEqual(self.both(written(mixed, amount, time=time), *sort), plain)
                self.assertEqual(self.hours(written(rows, amount, time=time)), hours)

    def test_a_zone_moves_hours_and_the_functions_that_are_exported(self):
        rows = clean_rows(120)
        east = self.hours(written(rows, amount), "--zone", "+02:00")
        self.assertNotEqual(east, self.hours(written(rows, amount)))
        shifted = [(a, b, c, t + datetime.timedelta(hours=2)) for a, b, c, t in rows]
        self.assertEqual(east, self.hours(written(shifted, amount, time=TIMES["no offset"])))
        (self.folder / "log.csv").write_text(written(rows, amount))
        run = ["run", "vcg-reserves", "--param", "levels=4", "-d", self.folder / "log.csv", *COLUMNS, *self.HOURS]
        run += ["--floors", self.folder / "f.json", "--floors-drop-empty", "--accept-hidden"]
        for zone, now in ((["--zone", "+02:00"], b"new Date(Date.now() + 7200000)"), (["--zone", "UTC"], b"new Date()"), ([], b"new Date()")):
            done = hannan(*run, *zone)
            self.assertEqual(done.status, 0, done.err)
            self.assertIn(b'"@hour": () => String(' + now + b".getUTCHours())", done.out)
            self.assertIn(b'"@weekday": () => String(' + now + b".getUTCDay() || 7)", done.out)
        self.assertIn(b"Europe/Zurich", hannan(*run, "--zone", "Europe/Zurich").err)

    def test_what_can_be_read_in_two_ways_is_asked_about(self):
        rows = clean_rows(120)
        some = lambda t: TIMES["UTC" if t.minute % 2 else "no offset"](t)
        for how in (["--sort-by", "when"], self.HOURS):
            self.assertIn("--zone", self.question(written(rows, amount, time=some), "H215", *how, command="convert"))
        early = [(a, b, c, t.replace(day=1 + t.day % 12)) for a, b, c, t in rows]
        day = lambda t: t.strftime("%d/%m/%Y")
        self.assertIn("--dates", self.question(written(early, amount, time=day), "H215", "--sort-by", "when", command="convert"))
        steps = lambda t: str(t.minute)
        self.assertIn("--dates", self.question(written(rows, amount, time=steps), "H215", *self.HOURS, command="convert"))

    def test_times_beside_other_text_are_refused(self):
        rows = clean_rows(60)
        text = written(rows, amount, time=lambda t: "soon" if t.minute == 20 else TIMES["UTC"](t))
        self.question(text, "H202", "--sort-by", "when", command="convert")

    def test_days_of_eight_digits_are_days(self):
        rows = clean_rows(120)
        self.HOURS = ["--timestamp", "when", "--by", "@weekday", "--cap-quantile", "1"]
        days = self.hours(written(rows, amount, time=lambda t: t.strftime("%Y%m%d")))
        self.assertEqual(days, self.hours(written(rows, amount)))


class Headers(Styles):
    def test_a_first_row_of_numbers_is_data(self):
        log = self.folder / "wide.csv"
        log.write_text("3,4\n5,6\n7,8\n")
        done = hannan("convert", log, "--format", "wide", "-o", self.folder / "out.jsonl", "--summary", self.folder / "s.json")
        self.assertEqual(done.status, 0, done.err)
        self.assertEqual(len((self.folder / "out.jsonl").read_text().splitlines()), 3)
        self.assertIn(b"the first row is numbers like all others", done.err)
        self.ok("convert", log, "--format", "wide", "--header", "names", "-o", self.folder / "out.jsonl", "-q")
        self.assertEqual(len((self.folder / "out.jsonl").read_text().splitlines()), 2)


    def test_a_first_row_of_amounts_and_times_is_data(self):
        log = self.folder / "wide.csv"
        log.write_text("2026-01-01;3,50 €;;4\n2026-01-02;5,00 €;1;6\n2026-01-03;7,00 €;2;8\n")
        self.ok("convert", log, "--format", "wide", "--sort-by", "1", "-o", self.folder / "out.jsonl", "-q")
        self.assertEqual(len((self.folder / "out.jsonl").read_text().splitlines()), 3)

    def test_names_in_the_first_row_are_told_from_data_by_a_hint(self):
        log = self.folder / "long.csv"
        log.write_text("1,ann,3.5\n1,bob,4.5\n2,ann,2.5\n2,bob,1.5\n")
        how = ["convert", log, "--format", "long", "-o", self.folder / "out.jsonl", "-q"]
        self.assertIn(b"--header none if the first row is data", hannan(*how).err)
        self.ok(*how, "--header", "none", "--round", "1", "--bidder", "2", "--bid", "3")
        self.assertEqual(len((self.folder / "out.jsonl").read_text().splitlines()), 2)
        log.write_text("1,7,3.5\n1,8,4.5\n2,7,2.5\n2,8,1.5\n")
        self.assertIn(b"--header names if the first row has their names", hannan(*how).err)
        self.ok(*how, "--round", "1", "--bidder", "2", "--bid", "3")
        self.assertEqual(len((self.folder / "out.jsonl").read_text().splitlines()), 2)


class OtherFormats(Styles):
    def test_wide_logs_are_read_alike(self):
        dice = random.Random(3)
        rows = [[dice.randrange(100, 900000) for _ in range(3)] for _ in range(80)]
        def wide(money):
            return "ann;bob;cec\n" + "".join(";".join(map(money, row)) + "\n" for row in rows)
        outs = []
        for money in (lambda c: amount(c), lambda c: amount(c, ".", ",", behind=" €"), lambda c: amount(c, " ", ",")):
            (self.folder / "wide.csv").write_text(wide(money), encoding="utf-8")
            self.ok("convert", self.folder / "wide.csv", "--format", "wide", "--currency", "EUR", "-o", self.folder / "wide.jsonl", "-q")
            outs.append((self.folder / "wide.jsonl").read_bytes())
        self.assertEqual(outs, outs[:1] * 3)

    def lines(self, price):
        dice = random.Random(5)
        text = ""
        for i in range(150):
            bids = [{"impid": "1", "price": price(dice.randrange(100, 400000))} for _ in range(3)]
            seats = [{"seat": seat, "bid": [bid]} for seat, bid in zip(("ann", "bob", "cec"), bids)]
            text += json.dumps({"id": str(i), "cur": "USD", "seatbid": seats}) + "\n"
        return text

    def test_prices_of_openrtb_may_be_strings(self):
        outs = []
        for price in (lambda c: c / 100, lambda c: str(c / 100), lambda c: amount(c, before="$"), lambda c: amount(c, ",", behind=" USD"),
                      lambda c: c / 100 if c % 2 else amount(c)):
            log = self.folder / "rtb.jsonl"
            log.write_text(self.lines(price))
            self.ok("convert", log, "-o", self.folder / "rtb-out.jsonl", "-q")
            outs.append((self.folder / "rtb-out.jsonl").read_bytes())
        self.assertEqual(outs, outs[:1] * len(outs))

    def test_prices_of_openrtb_that_cannot_be_read_stop_too(self):
        log = self.folder / "rtb.jsonl"
        log.write_text(self.lines(lambda c: c / 100 if c % 20 else "unknown"))
        done = hannan("convert", log, "-o", self.folder / "o.jsonl")
        self.assertEqual(done.status, 3)
        self.assertIn(b"H214", done.err)
        log.write_text(self.lines(lambda c: amount(c, behind=" EUR")))
        self.assertIn(b"H211", hannan("convert", log, "-o", self.folder / "o.jsonl").err)


if __name__ == "__main__":
    main()
