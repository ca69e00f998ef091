"""Other ways to find groups of features that are connected in one condition only.

Every file has the same four things:
    groups(X_a, X_b, seed, **settings)   labels for A and for B: 0 = background, 1.. = groups special to that condition
    fit(X_a, X_b, seed, **settings)      the slow part, so that many cuts can be tried on one fit
    cut(fitted, **settings)              labels from it
    FIT_SCAN, CUT_SCAN                   the settings among which an oracle that knows the truth may choose
X_a and X_b are samples x features, with the same features. Without settings nothing is learnt from the truth.
"""
