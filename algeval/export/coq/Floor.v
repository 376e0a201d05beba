(** The plurality floor: whatever the answer key, at most so many verdicts are right as the commonest verdict of
    each item has; a key that names it reaches that number, so that no larger number of errors can be proved. *)
From Coq Require Import List Arith Lia.
Import ListNotations.

Definition verdicts := list nat.              (* of one item, by all judges that gave one *)
Definition votes (t : nat) (v : verdicts) : nat := count_occ Nat.eq_dec v t.

(** The most votes that a label has, among those that were given. *)
Definition commonest (v : verdicts) : nat := list_max (map (fun t => votes t v) v).

Fixpoint right (exam : list verdicts) (key : list nat) : nat :=
  match exam, key with v :: rest, t :: labels => votes t v + right rest labels | _, _ => 0 end.

Definition most (exam : list verdicts) : nat := list_sum (map commonest exam).
Definition given (exam : list verdicts) : nat := list_sum (map (@length nat) exam).

Lemma votes_commonest t v : votes t v <= commonest v.
Proof.
  destruct (in_dec Nat.eq_dec t v) as [i|n].
  - unfold commonest. pose proof (proj1 (list_max_le (map (fun t => votes t v) v) _) (le_n _)) as H.
    rewrite Forall_forall in H. apply H. apply in_map_iff. now exists t.
  - unfold votes. apply (count_occ_not_In Nat.eq_dec) in n. lia.
Qed.

Lemma votes_reached v pool : exists t, votes t v = list_max (map (fun t => votes t v) pool).
Proof.
  induction pool as [|t pool [s e]].
  - exists (S (list_max v)). apply count_occ_not_In. intros i.
    pose proof (proj1 (list_max_le v _) (le_n _)) as H. rewrite Forall_forall in H. specialize (H _ i). lia.
  - change (list_max (map (fun t => votes t v) (t :: pool)))
      with (Nat.max (votes t v) (list_max (map (fun t => votes t v) pool))).
    rewrite <- e. destruct (Nat.max_spec (votes t v) (votes s v)) as [[_ ->]|[_ ->]]; [now exists s | now exists t].
Qed.

Lemma commonest_reached v : exists t, votes t v = commonest v.
Proof. apply votes_reached. Qed.

Theorem plurality_floor exam key : length key = length exam -> right exam key <= most exam.
Proof.
  revert key. induction exam as [|v exam IH]; intros [|t key]; simpl; try discriminate; [lia|].
  intros e. injection e as e. specialize (IH key e). pose proof (votes_commonest t v).
  unfold most in *. simpl. lia.
Qed.

Theorem plurality_reached exam : exists key, length key = length exam /\ right exam key = most exam.
Proof.
  induction exam as [|v exam [key [l e]]]; [now exists []|].
  destruct (commonest_reached v) as [t r]. exists (t :: key). simpl. unfold most in *. simpl. lia.
Qed.

(** In errors: at least given - most, and no larger number holds for every key. *)
Corollary errors_floor exam key : length key = length exam -> given exam - most exam <= given exam - right exam key.
Proof. intros e. pose proof (plurality_floor exam key e). lia. Qed.

Print Assumptions plurality_floor.
Print Assumptions plurality_reached.
