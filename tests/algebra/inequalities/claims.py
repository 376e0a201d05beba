"""Claims with their verdicts, as a mathematician decides them: by an argument or an example beside them.

Each is (claim, hypotheses, settings, verdict): "true", "false", "contradiction"; judges default to 3,
labels to 2, and "axioms" means any exam whatever.
"""

HALF = [f"P_{j}{t} >= 1/2" for j in "ijk" for t in "AB"]
ONE_COIN = [f"P_{j}A = P_{j}B" for j in "ijk"]
FIVE = {"judges": 5}
ONE, TWO = {"judges": 1}, {"judges": 2}
ANY = {"model": "axioms"}
ANY_ONE, ANY_TWO = ANY | ONE, ANY | TWO
THREE_LABELS = {"labels": 3, "judges": 2, "model": "axioms"}
MEAN = "(g_i+g_j+g_k)/3"
T = "Delta_ij*Delta_ik*Delta_jk"
DET = (
    "f_Ai*f_Bi*f_Aj*f_Bj*f_Ak*f_Bk + 2*Delta_ij*Delta_ik*Delta_jk"
    " - f_Ai*f_Bi*Delta_jk^2 - f_Aj*f_Bj*Delta_ik^2 - f_Ak*f_Bk*Delta_ij^2"
)

FIXTURES = [
    # Condorcet
    (f"MV >= {MEAN}", HALF, {}, "true"),
    (f"MV >= {MEAN}", [], {}, "false"),
    (f"MV >= {MEAN}", ["g_i >= 1/2", "g_j >= 1/2", "g_k >= 1/2"], {}, "false"),
    (f"MV >= {MEAN}", [], ANY, "false"),
    ("MV >= g_i", HALF, {}, "false"),
    ("MV >= g_i", [*ONE_COIN, "P_jA*P_kA*(1-P_iA) >= (1-P_jA)*(1-P_kA)*P_iA"], {}, "true"),
    ("MV >= g_i", [*ONE_COIN, "P_jA >= P_iA", "P_kA >= P_iA", "P_iA >= 1/2"], {}, "true"),
    (
        "MV >= MV_ijk",
        [f"P_{j}A = P_{j}B" for j in "ijklm"] + [f"P_{j}A >= 1/2" for j in "ijklm"],
        FIVE,
        "false",
    ),
    (
        "MV >= MV_ijk",
        [f"P_{j}A = P_{j}B" for j in "ijklm"]
        + [f"P_{a}A >= P_{b}A" for a in "lm" for b in "ijk"]
        + [f"P_{j}A >= 1/2" for j in "ijk"],
        FIVE,
        "true",
    ),
    ("1 - MV <= (3-g_i-g_j-g_k)/2", [], ANY, "true"),
    ("1 - MV <= (3-g_i-g_j-g_k)/3", [], ANY, "false"),
    ("MV >= 5/8", ["g_i >= 3/4", "g_j >= 3/4", "g_k >= 3/4"], ANY, "true"),
    ("MV > 5/8", ["g_i >= 3/4", "g_j >= 3/4", "g_k >= 3/4"], ANY, "false"),
    # agreement
    ("a_ij >= g_i + g_j - 1", [], ANY_TWO, "true"),
    ("a_ij >= 1/2", ["g_i >= 3/4", "g_j >= 3/4"], ANY_TWO, "true"),
    ("a_ij >= 3/5", ["g_i >= 3/4", "g_j >= 3/4"], ANY_TWO, "false"),
    ("g_i <= (1+a_ij)/2", ["g_j >= g_i"], ANY_TWO, "true"),
    ("g_i <= (1+a_ij)/2", [], ANY_TWO, "false"),
    ("1-a_ij <= (1-a_ik) + (1-a_jk)", [], ANY, "true"),
    ("1-a_ij <= (1-a_ik) + (1-a_jk)", [], ANY | {"labels": 3}, "true"),
    ("a_ij + a_ik + a_jk >= 1", [], ANY, "true"),
    ("a_ij + a_ik + a_jk >= 1", [], ANY | {"labels": 3}, "false"),
    # Bonferroni, unions, Frechet
    (
        "f_Ai + f_Aj + f_Ak - f_AiAj - f_AiAk - f_AjAk <= 1 - f_BBB", [], ANY, "true",
    ),
    ("f_Ai + f_Aj + f_Ak - f_AiAj - f_AiAk <= 1 - f_BBB", [], ANY, "false"),
    ("f_Ai + f_Aj + f_Ak >= 1 - f_BBB", [], ANY, "true"),
    ("f_AiAj >= f_Ai + f_Aj - 1", [], ANY_TWO, "true"),
    ("f_AiAj <= f_Ai", [], ANY_TWO, "true"),
    # moments
    ("Delta_ij <= 1/4", [], ANY_TWO, "true"),
    ("Delta_ij^2 <= f_Ai*f_Bi*f_Aj*f_Bj", [], ANY_TWO, "true"),
    (f"{DET} >= 0", [], ANY, "true"),
    ("Delta_ij^2 <= 1/17", [], ANY_TWO, "false"),
    (f"{T} >= 0", [], {}, "true"),
    (f"Delta_ijk^2 + 4*{T} >= 0", [], {}, "true"),
    (f"{T} >= 0", [], ANY, "false"),
    ("Delta_ij >= 0", ["d_i >= 0", "d_j >= 0"], TWO, "true"),
    ("Delta_ij >= 0", ["d_i >= 0", "d_j >= 0"], ANY_TWO, "false"),
    (
        "Delta_ij >= 0",
        ["d_i >= 0", "d_j >= 0", "Gamma_ij_A >= 0", "Gamma_ij_B >= 0"],
        ANY_TWO,
        "true",
    ),
    ("Delta_ij >= 0", ["d_i >= 0", "d_j >= 0", "Gamma_ij_A >= 0"], ANY_TWO, "false"),
    ("4*Delta_ij*Delta_ik <= Delta_jk", ["d_j >= 0", "d_k >= 0"], {}, "true"),
    ("Delta_ij >= 54/14161", ["d_i >= 3/17", "d_j >= 3/17", "1/7 <= P_A <= 6/7"], TWO, "true"),
    ("Delta_ij >= 55/14161", ["d_i >= 3/17", "d_j >= 3/17", "1/7 <= P_A <= 6/7"], TWO, "false"),
    ("Delta_ijk <= 1/10", [], {}, "true"),
    ("Delta_ijk <= 9/100", [], {}, "false"),
    ("Delta_ijk <= 0.0962250459", [], {}, "true"),  # sqrt(3)/18 = .09622504486...
    ("Delta_ijk <= 0.0962249449", [], {}, "false"),
    # kappa and the measures of one judge
    ("kappa_ij <= 1", [], ANY_TWO, "true"),
    ("kappa_ij <= a_ij", [], ANY_TWO, "true"),
    ("kappa_ij <= a_ij", [], THREE_LABELS, "true"),
    ("kappa_ij >= -1", [], ANY_TWO, "true"),
    ("kappa_ij <= 2*a_ij - 1", [], ANY_TWO, "false"),
    ("F1_i >= g_i", [], ANY_ONE, "false"),
    ("F1_i <= g_i", ["P_A*P_iA <= P_B*P_iB"], ONE, "true"),
    ("F1_i >= Jac_i", [], ANY_ONE, "true"),
    ("F1_i^2 <= prec_i*rec_i", [], ANY_ONE, "true"),
    ("2*Jac_i >= F1_i", [], ANY_ONE, "true"),
    ("MCC2_i <= 1", [], ANY_ONE, "true"),
    ("kappa_i^2 <= MCC2_i", [], ANY_ONE, "true"),
    ("kappa_i^2 <= d_i^2", [], ANY_ONE, "false"),
    ("BA_i >= 1/2", ["J_i >= 0"], ANY_ONE, "true"),
    ("J_i >= 0", ["BA_i >= 1/2"], ANY_ONE, "true"),
    ("BA_i >= 1/2", ["g_i >= 1/2"], ONE, "false"),
    ("BA_i >= 1/2", ["g_i >= 1/2", "P_A = 1/2"], ONE, "true"),
    ("prec_i >= P_A", ["d_i >= 0"], ONE, "true"),
    ("d_i >= 0", ["prec_i >= P_A", "1/10 <= P_A <= 9/10"], ONE, "true"),
    ("g_i >= P_A", ["P_iA >= 1/2", "P_iB >= 1/2"], ONE, "false"),
    ("g_i >= P_A", ["prec_i >= 1/2", "npv_i >= 1/2"], ONE, "true"),
    ("g_i >= P_A", ["P_B*P_iB >= P_A*(1-P_iA)"], ONE, "true"),
    ("prec_i >= prec_j", ["P_iA >= P_jA", "P_iB >= P_jB"], TWO, "true"),
    ("prec_i >= prec_j", ["P_iA >= P_jA"], TWO, "false"),
    ("unan >= 1/4", HALF, {}, "true"),
    ("unan >= 1/4", ONE_COIN, {}, "false"),
    (
        "a_ij >= 4/9",
        [f"P_{j}{t} >= 2/3" for j in "ij" for t in "ABC"],
        TWO | {"labels": 3},
        "true",
    ),
    (
        "a_ij > 4/9",
        [f"P_{j}{t} >= 2/3" for j in "ij" for t in "ABC"],
        TWO | {"labels": 3},
        "false",
    ),
    ("a_ij >= 1/3", ["g_i + g_j >= 4/3"], THREE_LABELS, "true"),
    ("a_ij >= 1/3", ["g_i >= 2/3", "g_j >= 2/3"], THREE_LABELS, "true"),
    # squares
    (
        "(f_Ai*f_Aj+f_Bi*f_Bj+f_Ci*f_Cj)^2 <= (f_Ai^2+f_Bi^2+f_Ci^2)*(f_Aj^2+f_Bj^2+f_Cj^2)",
        [],
        THREE_LABELS,
        "true",
    ),
    ("f_Ai^2 + f_Bi^2 + f_Ci^2 >= 1/3", [], ANY_ONE | {"labels": 3}, "true"),
    ("P_iA^2 + P_jA^2 + P_kA^2 >= P_iA*P_jA + P_iA*P_kA + P_jA*P_kA", [], {}, "true"),
    ("P_iA^3 + P_jA^3 + P_kA^3 >= 3*P_iA*P_jA*P_kA", [], {}, "true"),
    (
        "P_iA^4 + P_jA^4 + P_kA^4 + P_lA^4 >= 4*P_iA*P_jA*P_kA*P_lA",
        [],
        {"judges": 4},
        "true",
    ),
    ("64*P_iA^4*P_jA^2 + 64*P_iA^2*P_jA^4 + 1 >= 48*P_iA^2*P_jA^2", [], TWO, "true"),
    ("(P_iA^2 - 1/2)^2 + (P_jA^2 - 1/2)^2 >= 0", [], TWO, "true"),
]  # fmt: skip

SAME = ["P_iA = P_iB", "P_jA = P_iA", "P_kA = P_iA", "P_jB = P_iA", "P_kB = P_iA"]
PAIR_HALF = HALF[:4]

OWN = [
    # any exam: counting item by item
    ("MV >= g_i + g_j - 1", [], ANY, "true"),  # where both are right the majority is
    ("MV <= (g_i+g_j+g_k)/2", [], ANY, "true"),  # a majority has two who are right
    ("MV <= (g_i+g_j+g_k)/3", [], ANY, "false"),
    ("unan <= a_ij", [], ANY, "true"),
    ("unan >= a_ij + a_ik - 1", [], ANY, "true"),
    ("unan >= a_ij*a_ik", [], ANY, "false"),  # half agree so, half otherwise
    ("g_i <= f_Ai + P_B", [], ANY_ONE, "true"),
    ("g_i >= P_A - f_Bi", [], ANY_ONE, "true"),
    ("f_Ai - P_A <= 1 - g_i", [], ANY_ONE, "true"),
    ("f_Ai - P_A <= 1/2 - g_i/2", [], ANY_ONE, "false"),
    ("1 - a_ij <= (1 - g_i) + (1 - g_j)", [], ANY_TWO, "true"),
    ("1 - a_ij <= 1 - g_i", [], ANY_TWO, "false"),
    ("P_A*P_B <= 1/4", [], ANY_ONE, "true"),
    ("P_A*P_B < 1/4", [], ANY_ONE, "false"),
    ("P_A*P_B*P_C <= 1/27", [], ANY_ONE | {"labels": 3}, "true"),
    ("P_A*P_B*P_C <= 1/28", [], ANY_ONE | {"labels": 3}, "false"),
    ("f_{A_i,A_j,A_k} >= f_Ai + f_Aj + f_Ak - 2", [], ANY, "true"),
    ("f_{A_i,A_j,A_k} >= f_Ai + f_Aj - 1", [], ANY, "false"),
    ("unan >= (a_ij + a_ik + a_jk - 1)/2", [], ANY | {"labels": 3}, "true"),
    ("unan <= (a_ij + a_ik + a_jk - 1)/2", [], ANY | {"labels": 3}, "false"),
    ("R_iA_A + R_iB_B <= Q", [], ANY_ONE, "true"),
    ("2*R_iA >= Q", [], ANY_ONE, "false"),
    ("2*R_iA >= Q", ["R_iA >= R_iB"], ANY_ONE, "true"),
    # one judge
    ("prec_i*rec_i <= F1_i", [], ANY_ONE, "true"),  # the mean of two shares is at most 1
    ("Jac_i <= prec_i", [], ANY_ONE, "true"),
    ("F1_i <= (prec_i + rec_i)/2", [], ANY_ONE, "true"),
    ("F1_i >= (prec_i + rec_i)/2", [], ANY_ONE, "false"),
    ("kappa_i <= g_i", [], ANY_ONE, "true"),
    ("kappa_i >= g_i", [], ANY_ONE, "false"),
    ("J_i >= -1", [], ANY_ONE, "true"),
    ("MCC2_i <= J_i^2", [], ANY_ONE, "false"),
    ("prec_i >= 1/2", ["P_A*P_iA >= P_B*(1 - P_iB)"], ANY_ONE, "true"),
    ("g_i >= 1/2", ["P_iA >= 1/2", "P_iB >= 1/2"], ANY_ONE, "true"),
    ("g_i > 1/2", ["P_iA > 1/2", "P_iB > 1/2"], ANY_ONE, "true"),
    ("g_i > 1/2", ["P_iA > 1/2", "P_iB >= 1/2"], ONE, "true"),  # where no label is absent
    ("g_i >= 3/5", ["P_iA >= 1/2", "P_iB >= 1/2"], ANY_ONE, "false"),
    # two judges
    ("kappa_ij = 2*a_ij - 1", ["f_Ai = 1/2"], ANY_TWO, "true"),
    ("kappa_ij >= 2*a_ij - 1", ["f_Ai >= 1/2", "f_Aj <= 1/2"], ANY_TWO, "true"),
    ("Delta_ij <= f_Bi*f_Aj", [], ANY_TWO, "true"),
    ("Delta_ij <= f_Ai*f_Bi", [], ANY_TWO, "true"),  # an answer moves a mean by at most its deviation
    ("Delta_ij >= -f_Ai*f_Aj", [], ANY_TWO, "true"),
    ("Delta_ij >= -1/4", [], ANY_TWO, "true"),
    ("Delta_ij >= -1/5", [], ANY_TWO, "false"),
    ("Delta_ij = 0", ["d_i = 0"], TWO, "true"),
    ("Delta_ij = 0", ["d_i = 0"], ANY_TWO, "false"),
    ("Delta_ij <= P_A*P_B", [], TWO, "true"),
    ("Delta_ij <= P_A*P_B", [], ANY_TWO, "false"),
    ("d_i*d_j >= 4*Delta_ij", ["d_i >= 0", "d_j >= 0"], TWO, "true"),
    ("a_ij >= 1/2", PAIR_HALF, TWO, "true"),
    ("a_ij <= g_i", PAIR_HALF, TWO, "true"),
    ("a_ij <= g_i", PAIR_HALF[2:], TWO, "false"),
    ("g_i*g_j <= a_ij", ["P_iA = P_iB", "P_jA = P_jB"], TWO, "true"),
    ("g_i*g_j <= a_ij", [], TWO, "false"),
    ("odds_AA >= 1", [*PAIR_HALF, "P_A >= 1/2"], TWO, "true"),
    ("odds_AB >= 1", [*PAIR_HALF, "P_A >= 1/2"], TWO, "false"),
    ("d_i >= d_j", ["P_iA >= P_jA", "P_iB >= P_jB"], ANY_TWO, "true"),
    # three judges
    ("MV >= g_i", [*SAME, "P_iA >= 1/2"], {}, "true"),
    ("MV >= g_i", SAME, {}, "false"),
    ("MV <= g_i", [*SAME, "P_iA <= 1/2"], {}, "true"),
    ("MV > g_i", [*SAME, "P_iA > 1/2"], {}, "false"),  # all always right
    ("MV > g_i", [*SAME, "1/2 < P_iA < 1"], {}, "true"),
    ("f_Bi >= P_B", ["P_iB = 1"], ONE, "true"),
    ("f_Bi > P_B", ["P_iB = 1"], ONE, "false"),
    ("Delta_ijk = 0", ["P_A = 1/2"], {}, "true"),
    ("Delta_ijk = 0", ["P_A = 1/3"], {}, "false"),
    ("Delta_ijk >= 0", ["P_A >= 1/2", "d_i >= 0", "d_j >= 0", "d_k >= 0"], {}, "true"),
    ("Delta_ijk >= 0", ["d_i >= 0", "d_j >= 0", "d_k >= 0"], {}, "false"),
    ("P_iA >= P_jA", ["f_Bi = f_Bj", "P_iB >= P_jB", "1/10 <= P_A <= 9/10"], TWO, "true"),
    ("P_iA >= P_jA", ["f_Bi = f_Bj", "P_iB >= P_jB"], TWO, "true"),
    # hypotheses that exclude one another
    ("P_iA >= 1/2", ["P_A > 3/5", "P_A < 1/2"], ONE, "contradiction"),
    ("g_i >= 0", ["P_A = 1/3", "P_A = 1/2"], ONE, "contradiction"),
    ("g_k >= 0", ["P_iA >= 2/3", "P_jA <= 1/2", "P_jA >= P_iA"], {}, "contradiction"),
    ("MV >= 0", ["g_i >= 3/4", "g_j >= 3/4", "a_ij < 1/2"], ANY, "contradiction"),
    ("g_i <= 1", ["d_i > 1"], ONE, "contradiction"),
]  # fmt: skip
