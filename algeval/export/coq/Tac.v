(** Small tactics of exported claims. No oracle: sums and products of what is not negative, and ring. *)
From Coq Require Export Reals Lra String List.
Export ListNotations.
Open Scope R_scope.

(** * Fractions: a side times what it is divided by is a polynomial. *)

Lemma le_of_form (W s f lo hi : R) : 0 < W -> 0 < s -> 0 <= f -> lo * W + s * f = hi * W -> lo <= hi.
Proof. intros w n p e. pose proof (Rmult_le_pos _ _ (Rlt_le _ _ n) p). apply (Rmult_le_reg_r W); lra. Qed.

Lemma lt_of_form (W s f lo hi : R) : 0 < W -> 0 < s -> 0 < f -> lo * W + s * f = hi * W -> lo < hi.
Proof. intros w n p e. pose proof (Rmult_lt_0_compat _ _ n p). apply (Rmult_lt_reg_r W); lra. Qed.

Lemma eq_of_form (W s f lo hi : R) : W <> 0 -> 0 < s -> f = 0 -> lo * W + s * f = hi * W -> lo = hi.
Proof. intros w _ -> e. apply (Rmult_eq_reg_r W); lra. Qed.

Lemma form_of_le (W s f lo hi : R) : 0 < W -> 0 < s -> lo <= hi -> lo * W + s * f = hi * W -> 0 <= f.
Proof.
  intros w n p e. pose proof (Rmult_le_compat_r W lo hi (Rlt_le _ _ w) p).
  apply (Rmult_le_reg_l s); lra.
Qed.

Lemma form_of_lt (W s f lo hi : R) : 0 < W -> 0 < s -> lo < hi -> lo * W + s * f = hi * W -> 0 < f.
Proof. intros w n p e. pose proof (Rmult_lt_compat_r W lo hi w p). apply (Rmult_lt_reg_l s); lra. Qed.

Lemma form_of_eq (W s f lo hi : R) : W <> 0 -> 0 < s -> lo = hi -> lo * W + s * f = hi * W -> f = 0.
Proof. intros _ n -> e. apply (Rmult_eq_reg_l s); lra. Qed.

Lemma form_nonzero (W s f b : R) : W <> 0 -> b <> 0 -> b * W = s * f -> f <> 0.
Proof. intros w n e z. rewrite z, Rmult_0_r in e. destruct (Rmult_integral _ _ e); auto. Qed.

Lemma form_equal (r x y f : R) : r <> 0 -> f = 0 -> r * (x - y) = f -> x = y.
Proof. intros n z e. rewrite z in e. destruct (Rmult_integral _ _ e); lra. Qed.

Lemma positive_of (d : R) : 0 <= d -> d <> 0 -> 0 < d.
Proof. intros [l|l] n; [exact l | now rewrite l in n]. Qed.

Lemma square_positive (d : R) (k : nat) : d <> 0 -> 0 < (d ^ k) ^ 2.
Proof. intros n. rewrite <- Rsqr_pow2. apply Rlt_0_sqr, pow_nonzero, n. Qed.

Lemma nonzero_left (a b : R) : a * b <> 0 -> a <> 0.
Proof. intros n z. apply n. rewrite z. ring. Qed.

Lemma nonzero_right (a b : R) : a * b <> 0 -> b <> 0.
Proof. intros n z. apply n. rewrite z. ring. Qed.

Lemma nonzero_top (a b : R) : a / b <> 0 -> a <> 0.
Proof. intros n z. apply n. rewrite z. unfold Rdiv. ring. Qed.

Lemma nonzero_base (a : R) (k : nat) : a ^ S k <> 0 -> a <> 0.
Proof. intros n z. apply n. rewrite z. apply pow_i. apply Nat.lt_0_succ. Qed.

(** * Nodes of a proof: s * p is a sum of what is not negative, and of multiples of what is zero. *)

Lemma node_ge (s p n z : R) : 0 < s -> s * p = n + z -> z = 0 -> 0 <= n -> 0 <= p.
Proof. intros w e z0 l. apply (Rmult_le_reg_l s); lra. Qed.

Lemma node_gt (s p n z : R) : 0 < s -> s * p = n + z -> z = 0 -> 0 < n -> 0 < p.
Proof. intros w e z0 l. apply (Rmult_lt_reg_l s); lra. Qed.

Lemma node_eq (s p n z : R) : 0 < s -> s * p = n + z -> z = 0 -> n = 0 -> p = 0.
Proof. intros w e z0 l. apply (Rmult_eq_reg_l s); lra. Qed.

(** * Signs *)

Ltac at_hand := first
  [ assumption | match goal with H : 0 < ?a |- 0 <= ?a => exact (Rlt_le _ _ H) end ].

Ltac nn := first [at_hand | lazymatch goal with
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; nn
  | |- 0 <= _ * _ => apply Rmult_le_pos; nn
  | |- 0 <= _ ^ 2 => first [apply pow2_ge_0 | apply pow_le; nn]
  | |- 0 <= _ ^ _ => apply pow_le; nn
  | |- _ => lra
  end].

Ltac pp := lazymatch goal with
  | |- 0 < _ * _ => first [assumption | apply Rmult_lt_0_compat; pp]
  | |- 0 < (?d ^ _) ^ 2 => first [apply square_positive; assumption | apply pow_lt, pow_lt; pp]
  | |- 0 < _ ^ _ => apply pow_lt; pp
  | |- _ => first [assumption | lra]
  end.

Ltac powers := lazymatch goal with
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; powers
  | |- _ ^ _ <> 0 => apply pow_nonzero; powers
  | |- _ => first [assumption | let E := fresh in intro E; lra]
  end.

(** A sum with one positive part. *)
Ltac some := lazymatch goal with
  | |- 0 < _ + _ => first
      [ apply Rplus_le_lt_0_compat; [solve [nn] | solve [pp]]
      | apply Rplus_lt_le_0_compat; [some | solve [nn]] ]
  | |- _ => pp
  end.

(** What is divided by, taken apart. *)
Ltac apart := repeat match goal with
  | H : ?a * ?b <> 0 |- _ =>
      pose proof (nonzero_left _ _ H); pose proof (nonzero_right _ _ H); clear H
  | H : ?a / ?b <> 0 |- _ => apply nonzero_top in H
  | H : ?a ^ S _ <> 0 |- _ => apply nonzero_base in H
  end.

Ltac nonzero := lazymatch goal with
  | |- _ /\ _ => split; nonzero
  | |- ?e <> 0 => first
      [ assumption
      | match goal with H : ?d <> 0 |- _ =>
          let E := fresh in intro E; apply H; first
            [ solve [rewrite <- E; ring] | solve [lra] | solve [field_simplify; [rewrite E; lra | ..]; nonzero] ]
        end
      | let E := fresh in intro E; lra ]
  | |- _ => idtac
  end.

Ltac polynomials := first [ring | field].

Ltac fractions := first [ring | apart; field; nonzero].

(** A fact, up to arithmetic. *)
(** The next hypothesis of K. *)
Tactic Notation "feed" ident(K) tactic3(t) := lazymatch type of K with
  ?X -> _ => let h := fresh in assert (h : X) by t; specialize (K h); clear h end.

Tactic Notation "exactly" constr(H) "by" tactic3(t) := lazymatch type of H with
  | 0 <= ?g => lazymatch goal with |- 0 <= ?f => replace f with g by t; exact H end
  | 0 < ?g => lazymatch goal with |- 0 < ?f => replace f with g by t; exact H
                                | |- 0 <= ?f => replace f with g by t; exact (Rlt_le _ _ H) end
  | ?g = 0 => lazymatch goal with |- ?f = 0 => replace f with g by t; exact H end
  end.

Ltac same H := exactly H by polynomials.

(** Coordinates that sum to 1 are not all zero. *)
Ltac one_positive := lazymatch goal with
  | |- 0 < ?z \/ _ => let E := fresh in
      destruct (Rlt_le_dec 0 z) as [E|E]; [left; exact E | right; one_positive]
  | |- _ => lra
  end.

(** The last coordinate of a block. *)
Tactic Notation "last" ident(z) constr(e) ident(L) ident(N) :=
  assert (exists z, z = e) as [z L] by (eexists; reflexivity);
  assert (N : 0 <= z) by (rewrite L; lra).

(** Closed numbers. *)
Ltac number := first
  [ lra | solve [field; repeat split; lra]
  | let E := fresh in intro E; first [lra | solve [field_simplify in E; lra]]
  | solve [field_simplify; lra] ].
