(** Linear claims about exams are decided by exams of one item.

    An exam is a list of items, each of a kind: its true label and its answers. A claim is linear where left less
    right, times the number of items, is a sum over the items of a number that depends on the kind alone. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

Section Linear.
Context {kind : Type}.

Fixpoint total (c : kind -> Z) (exam : list kind) : Z :=
  match exam with [] => 0 | x :: rest => c x + total c rest end.

Lemma total_app c a b : total c (a ++ b) = total c a + total c b.
Proof. induction a as [|x a IH]; simpl; lia. Qed.

Lemma total_repeat c x n : total c (repeat x n) = Z.of_nat n * c x.
Proof. induction n as [|n IH]; [reflexivity|]. change (total c (repeat x (S n))) with (c x + total c (repeat x n)). lia. Qed.

Lemma total_nonneg c exam : (forall x, 0 <= c x) -> 0 <= total c exam.
Proof. intros H. induction exam as [|x e IH]; simpl; [lia | specialize (H x); lia]. Qed.

Lemma total_one c x : total c [x] = c x.
Proof. simpl. lia. Qed.

Theorem one_item c : (forall exam, 0 <= total c exam) <-> (forall x, 0 <= total c [x]).
Proof.
  split; intros H; [intros x; apply H|].
  intros exam. apply total_nonneg. intros x. rewrite <- total_one. apply H.
Qed.

Theorem one_item_strict c :
  (forall exam, exam <> [] -> 0 < total c exam) <-> (forall x, 0 < total c [x]).
Proof.
  split; intros H; [intros x; apply H; discriminate|].
  intros [|x e] N; [now destruct N|]. simpl.
  assert (0 <= total c e) by (apply total_nonneg; intros y; specialize (H y); rewrite total_one in H; lia).
  specialize (H x). rewrite total_one in H. lia.
Qed.

Theorem one_item_equal c : (forall exam, total c exam = 0) <-> (forall x, total c [x] = 0).
Proof.
  split; intros H; [intros x; apply H|].
  intros exam. induction exam as [|x e IH]; [reflexivity|].
  simpl. specialize (H x). rewrite total_one in H. lia.
Qed.

(** Over a common divisor that is never negative: kinds on which it is zero count, too. *)
Section Divisor.
Context (c d : kind -> Z) (never_negative : forall x, 0 <= d x) (somewhere : exists x, 0 < d x).

Lemma far_enough x0 x : 0 < d x0 -> c x < 0 ->
  exists exam, 0 < total d exam /\ total c exam < 0.
Proof using never_negative.
  intros p n. exists (x0 :: repeat x (Z.to_nat (Z.abs (c x0) + 1))). simpl. rewrite !total_repeat.
  specialize (never_negative x). split; nia.
Qed.

Theorem one_item_over :
  (forall exam, 0 < total d exam -> 0 <= total c exam) <-> (forall x, 0 <= c x).
Proof using never_negative somewhere.
  split; intros H.
  - intros x. destruct (Z.lt_ge_cases (c x) 0) as [n|]; [|assumption]. destruct somewhere as [x0 p].
    destruct (far_enough x0 x p n) as [exam [q l]]. specialize (H exam q). lia.
  - intros exam _. now apply total_nonneg.
Qed.

Theorem one_item_over_strict :
  (forall exam, 0 < total d exam -> 0 < total c exam) <->
  (forall x, 0 <= c x) /\ (forall x, 0 < d x -> 0 < c x).
Proof using never_negative somewhere.
  split.
  - intros H. split.
    + apply one_item_over. intros exam p. specialize (H exam p). lia.
    + intros x p. rewrite <- total_one. apply H. rewrite total_one. exact p.
  - intros [H S] exam. induction exam as [|x e IH]; simpl; [lia|]. intros p.
    assert (0 <= total c e) by now apply total_nonneg.
    pose proof (H x). destruct (Z.lt_ge_cases 0 (d x)) as [q|q]; [pose proof (S x q); lia|].
    assert (0 < total c e) by (apply IH; lia). lia.
Qed.
End Divisor.
End Linear.

Print Assumptions one_item.
Print Assumptions one_item_strict.
Print Assumptions one_item_equal.
Print Assumptions one_item_over.
Print Assumptions one_item_over_strict.
