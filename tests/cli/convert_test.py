"""Bid logs into tables: formats, slots, scale, and a corpus of logs that something is wrong with.

Every malformed log gives one line of error with its code and place, or is converted with the fault counted under its reason."""
import json
import random

from bad_input_test import OneLine
from program import DATA, FolderTest, gzipped, hannan, main, npy_bytes

LONG = b"round,bidder,bid\n1,ann,2\n1,bob,4\n1,ann,3\n2,bob,1\n2,cec,8\n3,ann,5\n"
WIDE = b"round,ann,bob,cec\n1,3,4,\n2,,1,8\n3,5,,\n"
TABLE = "ann,bob,cec\n0.375,0.5,0\n0,0.125,1\n0.625,0,0\n"
RTB = [
    {"id": "1", "imp": [{"id": "1"}]},
    {"id": "1", "seatbid": [{"seat": "ann", "bid": [{"impid": "1", "price": 2}, {"impid": "1", "price": 3}]},
                            {"seat": "bob", "bid": [{"impid": "1", "price": 4}]}]},
    {"id": "2", "seatbid": [{"seat": "bob", "bid": [{"impid": "1", "price": 1}]}], "cur": "USD"},
    {"id": "2", "seatbid": [{"seat": "cec", "bid": [{"impid": "1", "price": 8}]}]},
    {"request": {"id": "3", "imp": [{"id": "1"}]}, "response": {"seatbid": [{"seat": "ann", "bid": [{"impid": "1", "price": 5}]}]}},
]


def lines(objects):
    return "".join(json.dumps(o) + "\n" for o in objects).encode()


class Convert(FolderTest):
    def convert(self, log, *args):
        """The summary and the table, however much money they hide (logged_money_test.py looks at that)."""
        out = self.folder / "table.csv"
        done = self.ok("convert", log, "-o", out, "--json", "--accept-hidden", *args)
        return json.loads(done.out), out.read_text()


class Formats(Convert):
    def test_long_wide_and_openrtb_logs_give_the_same_table(self):
        names = ["--names", "ann,bob,cec", "--rest", "drop"]
        for name, data, more in (("long.csv", LONG, []), ("long.tsv", LONG.replace(b",", b"\t"), []),
                                 ("semi.csv", LONG.replace(b",", b";"), []), ("crlf.csv", LONG.replace(b"\n", b"\r\n"), []),
                                 ("bom.csv", b"\xef\xbb\xbf" + LONG, []), ("pipe.csv", LONG.replace(b",", b"|"), ["--separator", "pipe"]),
                                 ("quoted.csv", LONG.replace(b"ann", b'"ann"'), []), ("spaces.csv", LONG.replace(b",", b" , "), []),
                                 ("wide.csv", WIDE, ["--format", "wide", "--round", "round"]), ("rtb.jsonl", lines(RTB), []),
                                 ("bom.jsonl", b"\xef\xbb\xbf" + lines(RTB), []),
                                 ("none.csv", LONG[17:], ["--header", "none", "--round", "1", "--bidder", "2", "--bid", "3"])):
            for log in (self.file(name, data), self.file(name + ".gz", gzipped(data))):
                with self.subTest(log.name):
                    summary, table = self.convert(log, "--cap", "8", *names, *more)
                    self.assertEqual(table, TABLE)
                    self.assertEqual(summary["auctions"]["used"], 3)
                    self.assertEqual(summary["rows"]["dropped"], {})
                    self.assertFalse(summary["rows"]["cut_short"])

    def test_jsonl_and_npy_hold_the_same_numbers(self):
        log = self.file("long.csv", LONG)
        self.ok("convert", log, "--cap", "8", "-q", "-o", self.folder / "t.jsonl", "-n", "3")
        rows = [json.loads(line) for line in (self.folder / "t.jsonl").read_text().splitlines()]
        self.ok("convert", log, "--cap", "8", "-q", "-o", self.folder / "t.npy", "-n", "3")
        data = (self.folder / "t.npy").read_bytes()
        self.assertEqual(data[128:], npy_bytes(rows)[-8 * 9:])
        reports = [json.loads(self.ok("run", "vcg-reserves", "--param", "bidders=3", "--param", "levels=4", "--json", "-d", self.folder / name).out)
                   for name in ("t.jsonl", "t.npy")]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0]["rounds"], 3)

    def test_a_log_goes_through_a_pipe(self):
        table = self.ok("convert", "-", "-q", "--cap", "8", "--names", "ann,bob,cec", "--rest", "drop", stdin=LONG).out
        self.assertEqual(table.decode(), TABLE)
        report = json.loads(self.ok("run", "vcg-reserves", "--param", "levels=8", "--json", "-d", "-", stdin=table).out)
        self.assertEqual(report["rounds"], 3)

    def test_columns_go_by_any_name_and_rows_by_filter(self):
        log = self.file("log.csv", b"what,auction,amount,name\ncar,7,4,ann\ncar,7,2,bob\nhat,8,1,ann\n")
        summary, table = self.convert(log, "--round", "auction", "--bidder", "name", "--bid", "amount", "--cap", "4", "--where", "what=car")
        self.assertEqual(table, "ann,bob\n1,0.5\n")
        self.assertEqual(summary["rows"]["dropped"]["filtered"]["rows"], 1)

    def test_each_item_of_a_round_is_an_auction(self):
        log = self.file("log.csv", b"round,item,bidder,bid\n1,x,ann,1\n1,y,ann,2\n1,x,bob,3\n1,y,bob,4\n")
        self.assertEqual(self.convert(log, "--item", "item", "--cap", "4")[1], "ann,bob\n0.25,0.75\n0.5,1\n")
        rtb = self.file("log.jsonl", lines([{"id": "1", "seatbid": [{"seat": s, "bid": [{"impid": i, "price": p} for i, p in bids]}]}
                                            for s, bids in (("ann", (("x", 1), ("y", 2))), ("bob", (("x", 3), ("y", 4))))]))
        self.assertEqual(self.convert(rtb, "--cap", "4")[1], "ann,bob\n0.25,0.75\n0.5,1\n")


class SlotsAndScale(Convert):
    def test_the_most_frequent_have_slots_and_the_rest_shares_one(self):
        log = self.file("log.csv", LONG + b"4,dan,6\n4,cec,7\n4,bob,1\n")  # bob 3, ann 2, cec 2, dan 1
        summary, table = self.convert(log, "--cap", "8", "-n", "2", "--rest-slots", "1")
        self.assertEqual(table.splitlines()[0], "bob,ann,rest")
        self.assertEqual(table.splitlines()[-1], "0.125,0,0.875")  # the higher of dan's 6 and cec's 7
        self.assertEqual(summary["bids"]["pooled"], 3)
        summary, table = self.convert(log, "--cap", "8", "-n", "2", "--rest", "drop")
        self.assertEqual(table.splitlines()[0], "bob,ann")
        self.assertEqual(summary["bids"]["left_out"], 3)

    def test_a_second_bid_that_a_shared_slot_hides_is_counted_and_two_slots_keep_it(self):
        log = self.file("log.csv", LONG + b"4,dan,6\n4,cec,7\n4,bob,1\n")  # in round 4 the two highest are of the rest
        one = ["--cap", "8", "-n", "2", "--rest-slots", "1"]
        self.assertEqual(self.convert(log, *one)[0]["bids"]["seconds_hidden"], 1)
        summary, table = self.convert(log, "--cap", "8", "-n", "2")  # the default
        self.assertEqual(summary["bids"]["seconds_hidden"], 0)
        self.assertEqual((table.splitlines()[0], table.splitlines()[-1]), ("bob,ann,rest 1,rest 2", "0.125,0,0.875,0.75"))
        self.assertIn(b"--rest-slots 2", hannan("convert", log, *one).err)

    def test_order_rank_and_segment(self):
        log = self.file("log.csv", b"round,bidder,bid,kind\n1,a,1,x\n1,b,3,y\n1,c,2,x\n2,b,4,y\n")
        self.assertEqual(self.convert(log, "--cap", "4", "--slots", "order", "-n", "2", "--rest-slots", "1")[1], "place 1,place 2,rest\n0.25,0.75,0.5\n1,0,0\n")
        self.assertEqual(self.convert(log, "--cap", "4", "--slots", "rank", "-n", "2")[1], "rank 1,rank 2\n0.75,0.5\n1,0\n")
        self.assertEqual(self.convert(log, "--cap", "4", "--slots", "segment", "--segment", "kind")[1], "y,x\n0.75,0.5\n1,0\n")
        # Without a bidder every row is one.
        self.assertEqual(self.convert(log, "--cap", "4", "--slots", "rank", "-n", "3", "--bidder", "none")[1], "rank 1,rank 2,rank 3\n0.75,0.5,0.25\n1,0,0\n")

    def test_the_top_bidder_can_be_left_out_where_its_value_is_hidden(self):
        summary, table = self.convert(self.file("log.csv", LONG), "--cap", "8", "--slots", "rank", "-n", "1", "--drop-top", "1")
        self.assertEqual(table, "rank 1\n0.375\n0.125\n")
        self.assertEqual((summary["bids"]["tops_dropped"], summary["auctions"]["empty"]), (3, 1))

    def test_a_cap_clips_and_counts_and_a_quantile_is_a_bid_of_the_log(self):
        log = self.file("log.csv", LONG)
        summary, table = self.convert(log, "--cap", "4", "-n", "3")
        self.assertEqual((summary["bids"]["clipped"], summary["largest_bid"]), (2, 8))
        # The bids in use are 1, 3, 4, 5, 8: the third is the median, the last the maximum.
        for q, cap in (("0.6", 4), ("0.61", 5), ("1", 8), ("0.01", 1)):
            self.assertEqual(self.convert(log, "--cap-quantile", q, "-n", "3")[0]["cap"], cap)

    def test_quantiles_are_within_one_part_in_8192(self):
        coins = random.Random(3)
        bids = [coins.lognormvariate(0, 2) for _ in range(5000)]
        log = self.file("log.csv", ("round,bidder,bid\n" + "".join(f"{i},b,{b!r}\n" for i, b in enumerate(bids))).encode())
        for q in (0.5, 0.9, 0.99, 0.999):
            exact = sorted(bids)[-(-int(q * 10000) * 5000 // 10000) - 1]
            cap = self.convert(log, "--cap-quantile", str(q))[0]["cap"]
            self.assertIn(cap, bids)
            self.assertTrue(exact <= cap <= exact * (1 + 1 / 8192), (q, exact, cap))

    def test_names_that_are_numbers_or_hold_commas_survive_as_a_header(self):
        log = self.file("log.csv", b'round,bidder,bid\n1,101,4\n1,"a,""b""",2\n')
        table = self.convert(log, "--cap", "4")[1]
        self.assertEqual(table, 'bidder 101,"a,""b"""\n1,0.5\n')
        self.ok("run", "vcg-reserves", "--param", "levels=4", "-q", "-d", self.folder / "table.csv")


HEAD = b"round,bidder,bid\n"
GOOD = b"1,ann,2\n1,bob,4\n"
ITEMS = b"round,bidder,bid,item,quantity\n1,ann,2,x,1\n1,bob,4,y,2\n"
BUYERS = ("--for", "item-pricing", "--item", "item")
UNITS = ("--for", "multi-unit", "--quantity", "quantity", "--units", "4")


def cut_gzip():
    body = gzipped(HEAD + b"".join(b"%d,ann,%d\n" % (i, i % 97) for i in range(200000)))
    return body[:len(body) // 2]


def broken_gzip():
    body = bytearray(gzipped(HEAD + GOOD * 2000))
    body[-5] ^= 0xFF  # in the checksum
    return bytes(body)


# name, log, flags, then what must come of it: an error code and a part of its text, or a reason and its count.
CORPUS = [
    ("empty.csv", b"", [], "H206", "no rows"),
    ("blank_lines.csv", b"\n\n  \n", [], "H206", "no rows"),
    ("header_only.csv", HEAD, [], "H206", "none is a bid"),
    ("wrong_delimiter.csv", (HEAD + GOOD).replace(b",", b"|"), [], "H106", "--separator"),
    ("wrong_delimiter_named.csv", HEAD + GOOD, ["--separator", "tab"], "H106", "--separator"),
    ("mixed_delimiters.csv", HEAD + GOOD + b"2;ann;3\n", [], "columns", 1),
    ("no_round_column.csv", b"bidder,bid\nann,2\n", [], "H106", 'no column "round"'),
    ("no_bidder_column.csv", b"round,bid\n1,2\n", [], "H106", 'no column "bidder"'),
    ("no_bid_column.csv", b"round,bidder\n1,ann\n", [], "H106", 'no column "bid"'),
    ("two_bid_columns.csv", b"round,bidder,bid,bid\n1,ann,2,3\n", [], "H106", "two columns"),
    ("no_header.csv", GOOD, [], "H106", 'no column "round"'),
    ("case_of_header.csv", b"Round,Bidder,Bid\n" + GOOD, [], "H106", '"Round"'),
    ("text_in_bid.csv", HEAD + GOOD + b"2,ann,three\n", [], "not_a_number", 1),
    ("two_currencies.csv", HEAD + GOOD + b"2,ann,$3.50\n2,bob,3 EUR\n", [], "H211", '"EUR" beside "$"'),
    ("decimal_comma.csv", b"round;bidder;bid\n1;ann;2,5\n1;bob;2,5,5\n", [], "not_a_number", 1),
    ("thousands.csv", HEAD + GOOD + b'2,ann,"1,234"\n', [], "H215", "--decimal point or --decimal comma"),
    ("hex_bid.csv", HEAD + GOOD + b"2,ann,0x10\n", [], "not_a_number", 1),
    ("empty_bid.csv", HEAD + GOOD + b"2,ann,\n2,bob,NA\n", [], "no_bid", 2),
    ("nan.csv", HEAD + GOOD + b"2,ann,NaN\n2,bob,nan\n", [], "not_finite", 2),
    ("infinite.csv", HEAD + GOOD + b"2,ann,inf\n2,bob,-inf\n", [], "not_finite", 2),
    ("huge_number.csv", HEAD + GOOD + b"2,ann,1e999\n", [], "not_finite", 1),
    ("negative.csv", HEAD + GOOD + b"2,ann,-3\n", [], "negative", 1),
    ("all_negative.csv", HEAD + b"1,ann,-3\n1,bob,-1\n", [], "H206", "2 with a negative bid"),
    ("empty_bidder.csv", HEAD + GOOD + b"2,,3\n", [], "no_bidder", 1),
    ("empty_round.csv", HEAD + GOOD + b",ann,3\n", [], "no_round", 1),
    ("short_row.csv", HEAD + GOOD + b"2,ann\n", [], "columns", 1),
    ("long_row.csv", HEAD + GOOD + b"2,ann,3,4\n", [], "columns", 1),
    ("round_again.csv", HEAD + GOOD + b"2,ann,3\n1,cec,5\n", [], "H202", 'round "1" again'),
    ("round_again_dropped.csv", HEAD + GOOD + b"2,ann,3\n1,cec,5\n1,dan,5\n", ["--again", "drop"], "again", 2),
    ("out_of_order.csv", HEAD + b"3,ann,1\n1,ann,2\n2,bob,3\n3,bob,4\n", [], "H202", "--sort-by COLUMN"),
    ("nul_byte.csv", HEAD + GOOD + b"2,a\x00n,3\n", [], "H202", "NUL"),
    ("nul_tail.csv", HEAD + GOOD + b"\x00" * 512, [], "H202", "NUL"),
    ("utf16.csv", (HEAD + GOOD).decode().encode("utf-16"), [], "H202", "UTF-16"),
    ("utf16_big.csv", b"\xfe\xff" + (HEAD + GOOD).decode().encode("utf-16-be"), [], "H202", "UTF-16"),
    ("open_quote.csv", HEAD + GOOD + b'2,"ann,3\n3,bob,4\n', [], "H202", "never closed"),
    ("stray_quote.csv", HEAD + GOOD + b'2,an"n,3\n', [], "H202", "quote"),
    ("text_after_quote.csv", HEAD + GOOD + b'2,"ann"x,3\n', [], "H202", "closing quote"),
    ("bare_return.csv", (HEAD + GOOD).replace(b"\n", b"\r"), [], "H202", "carriage return"),
    ("cut.csv.gz", cut_gzip(), [], "H207", "cut.csv.gz"),
    ("broken.csv.gz", broken_gzip(), [], "H202", "broken.csv.gz"),
    ("gzip_magic_only.csv", b"\x1f\x8b", [], "H207", "gzip_magic_only.csv"),
    ("twice_gzipped.csv.gz", gzipped(gzipped(HEAD + GOOD)), [], "H202", "twice_gzipped"),
    ("image.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, [], "H106", "image.csv:1"),
    ("few_bidders.csv", HEAD + b"1,ann,2\n2,bob,3\n", ["--least", "2"], "H206", "too few"),
    ("filter_of_nothing.csv", HEAD + GOOD, ["--where", "bidder=zoe"], "H206", "left out by --where"),
    ("filter_of_no_column.csv", HEAD + GOOD, ["--where", "color=red"], "H106", "--where"),
    ("strict_text.csv", HEAD + GOOD + b"2,ann,three\n", ["--strict"], "H204", "strict_text.csv:4:7"),
    ("strict_negative.csv", HEAD + GOOD + b"2,ann,-1\n", ["--strict"], "H205", "strict_negative.csv:4:7"),
    ("strict_columns.csv", HEAD + GOOD + b"2,ann\n", ["--strict"], "H203", "strict_columns.csv:4"),
    ("not_json.jsonl", lines(RTB) + b"{\"id\":\n", [], "not_json", 1),
    ("half_a_line.jsonl", lines(RTB)[:-30], [], "not_json", 1),
    ("other_json.jsonl", lines(RTB) + b'{"hello":1}\n[1,2]\n', [], "not_openrtb", 2),
    ("price_as_text.jsonl", lines(RTB).replace(b'"price": 5', b'"price": "five"'), [], "not_a_number", 1),
    ("price_absent.jsonl", lines(RTB).replace(b'"price": 5', b'"prize": 5'), [], "no_bid", 1),
    ("price_negative.jsonl", lines(RTB).replace(b'"price": 5', b'"price": -5'), [], "negative", 1),
    ("seat_absent.jsonl", lines(RTB).replace(b'"seat": "cec"', b'"seats": "cec"'), [], "no_bidder", 1),
    ("id_absent.jsonl", lines(RTB) + b'{"seatbid":[{"seat":"x","bid":[{"price":1}]}]}\n', [], "no_round", 1),
    ("two_currencies.jsonl", lines(RTB).replace(b'"cur": "USD"', b'"cur": "EUR"'), [], "currency", 1),
    ("csv_named_jsonl.jsonl", HEAD + GOOD, [], "H206", "that are not JSON"),
    ("wide_text.csv", WIDE.replace(b",8", b",x"), ["--format", "wide", "--round", "round"], "not_a_number", 1),
    ("wide_ragged.csv", WIDE + b"4,1\n", ["--format", "wide", "--round", "round"], "columns", 1),
    ("wide_empty.csv", b"ann,bob\n,\n,\n", ["--format", "wide"], "H206", "2 auctions"),
    ("wide_again.csv", WIDE + b"1,1,1,1\n", ["--format", "wide", "--round", "round"], "H202", "again"),
    ("no_item.csv", ITEMS + b"2,ann,3,,1\n", ["--item", "item"], "no_item", 1),
    ("no_item_to_price.csv", ITEMS + b"2,ann,3,,1\n", [*BUYERS], "no_item", 1),
    ("no_item_column.csv", HEAD + GOOD, ["--item", "item"], "H106", "--item"),
    ("no_segment.csv", ITEMS + b"2,ann,3, ,1\n", ["--slots", "segment", "--segment", "item"], "no_segment", 1),
    ("no_segment_column.csv", HEAD + GOOD, ["--slots", "segment", "--segment", "deal"], "H106", "--segment"),
    ("no_deal.jsonl", lines(RTB).replace(b'"price": 5', b'"dealid": "x", "price": 5'), ["--slots", "segment", "--segment", "dealid"], "no_segment", 5),
    ("quantity_text.csv", ITEMS + b"2,ann,3,x,many\n", [*UNITS], "quantity", 1),
    ("quantity_empty.csv", ITEMS + b"2,ann,3,x,\n", [*UNITS], "quantity", 1),
    ("quantity_zero.csv", ITEMS + b"2,ann,3,x,0\n2,bob,3,x,-1\n", [*UNITS], "quantity", 2),
    ("quantity_infinite.csv", ITEMS + b"2,ann,3,x,inf\n2,bob,3,x,1e999\n2,bob,3,x,NaN\n", [*UNITS], "quantity", 3),
    ("quantity_all_bad.csv", b"round,bidder,bid,item,quantity\n1,ann,2,x,?\n", [*UNITS], "H206", "quantity is not a number above 0"),
    ("no_quantity_column.csv", HEAD + GOOD, [*UNITS], "H106", "--quantity"),
    ("strict_quantity.csv", ITEMS + b"2,ann,3,x,0\n", [*UNITS, "--strict"], "H204", "strict_quantity.csv:4:11"),
    ("strict_item.csv", ITEMS + b"2,ann,3,,1\n", [*BUYERS, "--strict"], "H202", "strict_item.csv:4:9"),
    ("too_many_units.csv", ITEMS + b"2,ann,3,x,1000000\n", [*UNITS[:-1], "1000000"], "H208", "--lot"),
]


class MalformedLogs(OneLine):
    def test_every_log_of_the_corpus_gives_a_clear_error_or_a_counted_warning(self):
        self.assertGreaterEqual(len(CORPUS), 40)
        self.assertEqual(len({case[0] for case in CORPUS}), len(CORPUS))
        for name, data, flags, expected, detail in CORPUS:
            with self.subTest(name):
                log, out = self.file(name, data), self.folder / ("out.jsonl" if "--for" in flags else "out.csv")
                out.unlink(missing_ok=True)
                args = ["convert", log, "--cap", "8", "-o", out, "--accept-hidden", *flags]
                if expected.startswith("H"):
                    self.refused(args, expected, 2 if expected < "H2" else 3, detail)
                    self.assertFalse(out.exists())
                    self.assertEqual(list(self.folder.glob("*.new")), [])
                    continue
                summary = json.loads(self.ok(*args, "--json").out)
                self.assertEqual(summary["rows"]["dropped"][expected]["rows"], detail)
                self.assertIn(name, summary["rows"]["dropped"][expected]["first_at"])
                self.assertIn(f"dropped {detail} ".encode(), hannan(*args).err)

    def test_kept_oddities_are_counted(self):
        def rows(name, data, *flags):
            return json.loads(self.ok("convert", self.file(name, data), "--cap", "8", "-o", self.folder / "o.csv", "--json", *flags).out)["rows"]
        self.assertEqual(rows("latin.csv", HEAD + GOOD + "2,Zoë,3\n".encode("latin-1"))["not_utf8"], 1)
        self.assertTrue(rows("no_line_end.csv", HEAD + GOOD + b"2,ann,3")["cut_short"])
        self.assertEqual(rows("time.csv", b"round,bidder,bid,at\n1,a,1,10\n1,b,2,9\n1,c,3,11\n2,a,1,2\n", "--timestamp", "at")["backwards_in_time"], 1)
        self.assertEqual(rows("iso.csv", b"round,bidder,bid,at\n1,a,1,2024-01-02\n1,b,2,2024-01-01\n", "--timestamp", "at")["backwards_in_time"], 1)
        # The same row twice is one bid: it changes nothing, and is counted as what it is.
        twice = rows("twice.csv", HEAD + GOOD + GOOD)
        self.assertEqual((twice["duplicates"], twice["superseded"]), (2, 0))

    def test_a_large_log_cut_short_is_used_up_to_the_cut(self):
        whole = HEAD + b"".join(b"%d,bidder%d,%d.%02d\n" % (i // 3, i % 3, i % 7, i % 100) for i in range(300000))
        summary = json.loads(self.ok("convert", self.file("large.csv", whole[:-9]), "--cap", "8", "-o", self.folder / "o.csv", "--json").out)
        self.assertTrue(summary["rows"]["cut_short"])
        self.assertEqual(summary["rows"]["dropped"]["columns"]["rows"], 1)
        self.assertEqual((summary["rows"]["used"], summary["auctions"]["used"]), (299999, 100000))

    def test_a_giant_round_is_refused_in_bounded_time(self):
        log = self.file("giant.csv", HEAD + b"".join(b"1,b%d,1\n" % i for i in range((1 << 20) + 1)))
        self.refused(["convert", log, "--cap", "8"], "H208", 3, "--round the right column")

    def test_flags_that_do_not_go_together(self):
        log = self.file("log.csv", LONG)
        for flags, code, at in ((["-n", "2", "-o", self.folder / "x.csv"], "H102", "--cap"), (["--cap", "1", "--cap-quantile", "1"], "H100", "--cap"), (["--cap", "0"], "H105", "--cap"),
                                (["--cap-quantile", "1.5"], "H105", "--cap-quantile"), (["--cap", "8", "--slots", "segment"], "H100", "--segment"),
                                (["--cap", "8", "--bidder", "none"], "H100", "--bidder"), (["--cap", "8", "--json"], "H100", "-o"),
                                (["--cap", "8", "-o", "x.txt"], "H100", "-o"), (["--cap", "8", "--columns", "a"], "H100", "--columns"),
                                (["--cap", "8", "-n", "0"], "H105", "-n"), (["--cap", "8", "--separator", "ab"], "H100", "--separator"),
                                (["--cap", "8", "--where", "x"], "H100", "--where"), (["--cap", "8", "-o", log], "H100", "overwritten")):
            with self.subTest(" ".join(map(str, flags))):
                self.refused(["convert", log, *flags], code, 2, at)
        self.refused(["convert", "-", "--cap", "8"], "H100", 2, "standard input")
        self.refused(["convert", "absent.csv", "--cap", "8"], "H201", 3, "absent.csv")


class RealLogs(Convert):
    """Public logs at full length; skipped where they are not at hand."""

    def setUp(self):
        super().setUp()
        if not (DATA / "ebay_auctions").is_dir():
            self.skipTest("HANNAN_DATA names no folder of the data sets")

    def test_ebay_auctions(self):
        log = DATA / "ebay_auctions/auction.csv"
        summary, table = self.convert(log, "--round", "auctionid", "--cap-quantile", "1", "--slots", "rank", "-n", "3", "--drop-top", "1")
        self.assertEqual((summary["rows"]["read"], summary["auctions"]["read"], summary["auctions"]["used"]), (10681, 628, 604))
        self.assertEqual(table.count("\n"), 605)

    def test_market_prices(self):
        summary, _ = self.convert(DATA / "ipinyou_rtb/2997_test_theta_first50k.txt", "--format", "wide", "--header", "none", "--separator", "space",
                                  "--columns", "2", "--cap", "300")
        self.assertEqual((summary["auctions"]["used"], summary["largest_bid"], summary["bids"]["clipped"]), (50000, 277, 0))


if __name__ == "__main__":
    main()
