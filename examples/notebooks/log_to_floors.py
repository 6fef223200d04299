# %% [markdown]
# # From a bid log to price floors
#
# A log of second-price auctions, as an ad server or a marketplace keeps it: what did it bring, would reserve prices have
# brought more, and what to deploy. Everything runs on this machine.

# %%
import json

import numpy
import pandas

import hannan

# %% [markdown]
# The log here is made up: four weeks, three buyers, of whom `large` would pay much more than the others bid. Put your own
# frame in its place; `hannan.convert` only wants to know its columns.

# %%
draw = numpy.random.default_rng(2024)
AUCTIONS = 2000
log_frame = pandas.DataFrame(
    [
        {"auction": t, "time": pandas.Timestamp("2024-03-04") + pandas.Timedelta(minutes=20 * t), "buyer": buyer, "bid": bid}
        for t in range(AUCTIONS)
        for buyer, bid in {
            "large": round(float(draw.gamma(8, 0.25)), 2),
            "small": round(float(draw.gamma(2, 0.2)), 2),
            "other": round(float(draw.gamma(2, 0.2)), 2),
        }.items()
    ]
)
log_frame.head()

# %% [markdown]
# ## What the log brought
#
# Nothing is dropped, pooled or cut in silence: `log.summary` says what the auctions brought as they were, and how much of it
# the figures below do not see.

# %%
log = hannan.convert(log_frame, round="auction", bidder="buyer", bid="bid", cap=float(log_frame.bid.max()), currency="EUR")
print(log)
print(f"as logged: {log.summary['as_logged']['rule']:,.2f} {log.currency}")
print(f"hidden:    {log.summary['hidden']['share']:.1%}")

# %% [markdown]
# ## Would reserves have brought more?
#
# Learners decide each auction from those before it, so their money is what they would have earned on the way, not in
# hindsight. Each is held against the log.

# %%
problem = hannan.problem("vcg-reserves", levels=20, like=log)
result = hannan.compare(problem, log, learners=["leader", "flipflop"])
print(result["flipflop"].judgement["says"])
result.to_frame()[["money", "over_baseline"]]

# %% [markdown]
# ## The learner's regret, round by round, and what is proven of it

# %%
run = problem.learner("flipflop", seed=1).play(log)
print(f"regret {run.regret[-1]:.2f}, proven to be at most {run.bound:.2f} in expectation")
run

# %% [markdown]
# ## What to deploy
#
# Price floors as Prebid reads them, and the page for whoever decides.

# %%
floors = hannan.floors(result["flipflop"], log)
with open("floors.json", "w") as file:
    json.dump(floors, file, indent=2)
result.to_html("result.html", title="Reserves for three buyers")
floors["values"]
