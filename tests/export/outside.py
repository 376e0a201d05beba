"""Claims of an outside author, in the names of `prove`: (claim, hypotheses, settings, whether it is true)."""

ANY = {"model": "axioms"}
ONE, TWO, THREE, FOUR, FIVE = ({"judges": n} for n in (1, 2, 3, 4, 5))
ABC = {"labels": 3}
BOTH_RIGHT = "(R_iA_jA_A + R_iB_jB_B)/Q"
BOTH_RIGHT_OF_THREE = "(R_iA_jA_A + R_iB_jB_B + R_iC_jC_C)/Q"
PAIRS_OF_FIVE = "a_ij + a_ik + a_il + a_im + a_jk + a_jl + a_jm + a_kl + a_km + a_lm"
ERRORS = "(1-g_i) + (1-g_j) + (1-g_k)"
DIFFER = "(1-a_ij) + (1-a_ik) + (1-a_jk)"

CLAIMS = [
    ("(1-2*P_A)^2 = Delta_ijk^2/(Delta_ijk^2 + 4*Delta_ij*Delta_ik*Delta_jk)", [], THREE, True),
    (f"({PAIRS_OF_FIVE})/10 >= 2/5", [], FIVE | ANY, True),
    (
        "Q*MV = R_iA_jA_A + R_iB_jB_B + R_iA_kA_A + R_iB_kB_B + R_jA_kA_A + R_jB_kB_B"
        " - 2*R_iA_jA_kA_A - 2*R_iB_jB_kB_B",
        [], THREE | ANY, True,
    ),
    ("Delta_ij*Delta_ik*Delta_jk >= 0", [], THREE, True),
    ("g_i = P_A*P_iA + P_B*P_iB + P_C*P_iC", [], ONE | ABC, True),
    (f"1 - MV <= ({ERRORS})/2", [], THREE | ANY, True),
    (f"1 - MV <= ({ERRORS})/3", [], THREE | ANY, False),
    ("a_ik >= a_jk", ["g_k >= 1/2", "P_iA >= P_jA", "P_iB >= P_jB"], THREE, False),
    ("BA_i = (J_i + 1)/2", [], ONE, True),
    (f"a_ij = 1 - g_i - g_j + 2*{BOTH_RIGHT}", [], TWO | ANY, True),
    (f"a_ij = 1 - g_i - g_j + 2*{BOTH_RIGHT_OF_THREE}", [], TWO | ANY | ABC, False),
    (f"a_ij <= 1 - g_i - g_j + 2*{BOTH_RIGHT_OF_THREE}", [], TWO | ANY | ABC, True),
    ("kappa_ij >= -1", [], TWO | ANY, True),
    ("a_ij >= 1/2", ["P_iA >= 1/2", "P_iB >= 1/2", "P_jA >= 1/2", "P_jB >= 1/2"], TWO, True),
    ("Q_A - R_iA_A = R_iB - R_iB_B", [], ONE | ANY, True),
    ("n_AB - n_BA = Q*(f_Ai - f_Aj)", [], TWO | ANY, True),
    (f"{DIFFER} <= 2", [], THREE | ANY, True),
    (f"{DIFFER} <= 2", [], THREE | ANY | ABC, False),
    ("(a_ij + a_ik + a_il + a_jk + a_jl + a_kl)/6 >= 1/2", [], FOUR | ANY, False),
    ("F1_i = 2*R_iB_B/(Q_B + R_iB)", [], ONE | ANY, False),
    (f"{ERRORS} >= ({DIFFER})/2", [], THREE | ANY | ABC, True),
    ("kappa_ij >= 0", ["a_ij >= 9/10"], TWO | ANY, False),
    (
        "Delta_{i:A,j:A} = P_A*P_B*(P_iA - P_{i,A|B})*(P_jA - P_{j,A|B})"
        " + P_A*P_C*(P_iA - P_{i,A|C})*(P_jA - P_{j,A|C})"
        " + P_B*P_C*(P_{i,A|B} - P_{i,A|C})*(P_{j,A|B} - P_{j,A|C})",
        [], TWO | ABC, True,
    ),
    ("Delta_{i:A,j:A}*Delta_{i:A,k:A}*Delta_{j:A,k:A} >= 0", [], THREE | ABC, False),
]  # fmt: skip
