(** The closed form of order 1. Some answer key lets every judge be right on at least num/den of each label, given
    only how often each judge gave each answer, if and only if the caps floor(den * m_t / num) add up to the number
    of items, where m_t is the least number of answers t of a judge. *)
From Coq Require Import List Arith Lia Permutation.
Import ListNotations.

Definition pair_dec (x y : nat * nat) : {x = y} + {x <> y}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition times (t : nat) (l : list nat) : nat := count_occ Nat.eq_dec l t.

(** Items of true label t that were answered t; answers and key go by item. *)
Definition correct (t : nat) (answers key : list nat) : nat :=
  count_occ pair_dec (combine answers key) (t, t).

(** A judge is known by its answers in any order. *)
Definition possible (num den labels items : nat) (judges : list (list nat)) : Prop :=
  exists key, length key = items /\ Forall (fun t => t < labels) key /\
  forall pool, In pool judges -> exists answers, Permutation answers pool /\
  forall t, t < labels -> num * times t key <= den * correct t answers key.

Fixpoint least (t : nat) (first : list nat) (others : list (list nat)) : nat :=
  match others with [] => times t first | next :: rest => Nat.min (times t first) (least t next rest) end.

(** * One judge: all of min (answers t, items of label t) can be right at once. *)

Lemma fst_combine (a b : list nat) : length a = length b -> map fst (combine a b) = a.
Proof. revert b. induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto. intros e. f_equal. auto. Qed.

Lemma snd_combine (a b : list nat) : length a = length b -> map snd (combine a b) = b.
Proof. revert b. induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto. intros e. f_equal. auto. Qed.

Lemma combine_parts (K : list (nat * nat)) : combine (map fst K) (map snd K) = K.
Proof. induction K as [|[a b] K IH]; simpl; congruence. Qed.

Lemma times_middle s t a b : times s (a ++ t :: b) = times s (a ++ b) + (if Nat.eq_dec t s then 1 else 0).
Proof. unfold times. rewrite !count_occ_app. simpl. destruct (Nat.eq_dec t s); lia. Qed.

Lemma best_pairs n : forall pool key, length pool = n -> length key = n -> exists K,
  Permutation (map fst K) pool /\ Permutation (map snd K) key /\
  forall t, Nat.min (times t pool) (times t key) <= count_occ pair_dec K (t, t).
Proof.
  induction n as [|n IH]; intros pool key lp lk.
  - exists []. destruct pool, key; try discriminate. simpl. repeat split; auto.
  - destruct (Exists_dec (fun t => In t key) pool (fun t => in_dec Nat.eq_dec t key)) as [E|E].
    + apply Exists_exists in E. destruct E as [t [ip ik]].
      apply in_split in ip. destruct ip as [p1 [p2 ->]]. apply in_split in ik. destruct ik as [k1 [k2 ->]].
      rewrite app_length in lp, lk. simpl in lp, lk.
      destruct (IH (p1 ++ p2) (k1 ++ k2)) as [K [f [s c]]]; [rewrite app_length; lia .. |].
      exists ((t, t) :: K). cbn [map fst snd count_occ]. repeat split.
      * now apply Permutation_cons_app.
      * now apply Permutation_cons_app.
      * intros u. specialize (c u). rewrite !times_middle.
        destruct (Nat.eq_dec t u) as [e0|e0]; destruct (pair_dec (t, t) (u, u)) as [e|e]; try congruence; lia.
    + exists (combine pool key). rewrite fst_combine, snd_combine by lia. repeat split; auto.
      intros t. destruct (in_dec Nat.eq_dec t pool) as [i|i].
      * assert (~ In t key) as j by (intros j; apply E, Exists_exists; eauto).
        apply (count_occ_not_In Nat.eq_dec) in j. unfold times. lia.
      * apply (count_occ_not_In Nat.eq_dec) in i. unfold times. lia.
Qed.

Lemma best_answers pool key : length pool = length key -> exists answers, Permutation answers pool /\
  forall t, Nat.min (times t pool) (times t key) <= correct t answers key.
Proof.
  intros e. destruct (best_pairs _ pool key e eq_refl) as [K [f [s c]]].
  destruct (Permutation_map_inv snd K (Permutation_sym s)) as [K' [-> p]].
  exists (map fst K'). split.
  - rewrite <- f. apply Permutation_map, Permutation_sym, p.
  - intros t. unfold correct. rewrite combine_parts.
    rewrite <- (proj1 (Permutation_count_occ pair_dec K K') p (t, t)). apply c.
Qed.

Lemma correct_answers t answers key : correct t answers key <= times t answers.
Proof.
  unfold correct, times. revert key. induction answers as [|a x IH]; intros [|k key];
    cbn [combine count_occ]; try lia.
  specialize (IH key). destruct (pair_dec (a, k) (t, t)) as [e|e]; destruct (Nat.eq_dec a t); try congruence; lia.
Qed.

(** * A key whose labels keep within their caps *)

Lemma times_cons t k key : times t (k :: key) = (if Nat.eq_dec k t then 1 else 0) + times t key.
Proof. unfold times. cbn [count_occ]. destruct (Nat.eq_dec k t); lia. Qed.

Lemma sum_cons k key n : forall a, a <= k < a + n ->
  list_sum (map (fun t => times t (k :: key)) (seq a n)) = S (list_sum (map (fun t => times t key) (seq a n))).
Proof.
  unfold list_sum. induction n as [|n IH]; [lia|]. intros a i. cbn [seq map fold_right].
  rewrite times_cons. destruct (Nat.eq_dec k a) as [->|N].
  - rewrite (map_ext_in (fun t => times t (a :: key)) (fun t => times t key)); [lia|].
    intros t j. apply in_seq in j. rewrite times_cons. destruct (Nat.eq_dec a t); lia.
  - rewrite IH by lia. lia.
Qed.

Lemma sum_times labels key : Forall (fun t => t < labels) key ->
  length key = list_sum (map (fun t => times t key) (seq 0 labels)).
Proof.
  intros F. induction F as [|k key l F IH].
  - unfold list_sum. generalize (seq 0 labels). intros l. induction l; simpl; auto.
  - rewrite sum_cons by lia. simpl. now rewrite IH.
Qed.

Lemma sum_le (f g : nat -> nat) l : (forall t, In t l -> f t <= g t) -> list_sum (map f l) <= list_sum (map g l).
Proof.
  intros H. induction l as [|t l IH]; simpl; [lia|].
  specialize (IH (fun s i => H s (or_intror i))). specialize (H t (or_introl eq_refl)). lia.
Qed.

Definition full (cap : nat -> nat) (l : list nat) : list nat := concat (map (fun t => repeat t (cap t)) l).

Lemma times_repeat t s n : times t (repeat s n) = if Nat.eq_dec s t then n else 0.
Proof.
  unfold times. induction n as [|n IH]; simpl; destruct (Nat.eq_dec s t); auto.
Qed.

Lemma times_full cap t l : NoDup l -> times t (full cap l) <= cap t.
Proof.
  intros N. induction N as [|s l n N IH]; unfold full in *; simpl; [apply Nat.le_0_l|].
  unfold times. rewrite count_occ_app. fold (times t (repeat s (cap s))).
  fold (times t (concat (map (fun t => repeat t (cap t)) l))). rewrite times_repeat.
  destruct (Nat.eq_dec s t) as [->|_]; [|simpl; exact IH].
  enough (times t (concat (map (fun t => repeat t (cap t)) l)) = 0) by lia.
  apply count_occ_not_In. intros i. apply in_concat in i. destruct i as [r [i j]].
  apply in_map_iff in i. destruct i as [s [<- i]]. apply repeat_spec in j. now subst s.
Qed.

Lemma length_full cap l : length (full cap l) = list_sum (map cap l).
Proof. unfold full. induction l as [|t l IH]; simpl; [reflexivity|]. rewrite app_length, repeat_length. lia. Qed.

Lemma key_within cap labels items : items <= list_sum (map cap (seq 0 labels)) -> exists key,
  length key = items /\ Forall (fun t => t < labels) key /\ forall t, times t key <= cap t.
Proof.
  intros H. exists (firstn items (full cap (seq 0 labels))). repeat split.
  - rewrite firstn_length, length_full. lia.
  - apply Forall_forall. intros t i.
    assert (In t (full cap (seq 0 labels))) as j by (rewrite <- (firstn_skipn items); apply in_or_app; auto).
    apply in_concat in j. destruct j as [r [j k]]. apply in_map_iff in j. destruct j as [s [<- j]].
    apply repeat_spec in k. subst t. apply in_seq in j. lia.
  - intros t. pose proof (times_full cap t (seq 0 labels) (seq_NoDup _ _)) as L.
    rewrite <- (firstn_skipn items (full cap (seq 0 labels))) in L. unfold times in *.
    rewrite count_occ_app in L. lia.
Qed.

(** * The closed form *)

Lemma least_le t first others pool : In pool (first :: others) -> least t first others <= times t pool.
Proof.
  revert first. induction others as [|next rest IH]; intros first [->|i]; simpl; try lia; [easy|].
  specialize (IH next i). lia.
Qed.

Lemma least_reached t first others : exists pool, In pool (first :: others) /\ times t pool = least t first others.
Proof.
  revert first. induction others as [|next rest IH]; intros first; [exists first; simpl; auto|].
  destruct (IH next) as [pool [i e]]. simpl least.
  destruct (Nat.min_spec (times t first) (least t next rest)) as [[_ ->]|[_ ->]].
  - exists first. simpl. auto.
  - exists pool. split; [right; exact i | exact e].
Qed.

Theorem order_one num den labels items first others :
  0 < num -> num <= den -> (forall pool, In pool (first :: others) -> length pool = items) ->
  possible num den labels items (first :: others) <->
  items <= list_sum (map (fun t => den * least t first others / num) (seq 0 labels)).
Proof.
  intros p le sizes. split.
  - intros [key [<- [F H]]]. rewrite (sum_times labels key F). apply sum_le. intros t i. apply in_seq in i.
    destruct (least_reached t first others) as [pool [j <-]]. destruct (H pool j) as [answers [P G]].
    apply Nat.div_le_lower_bound; [lia|]. specialize (G t). pose proof (correct_answers t answers key).
    assert (times t answers = times t pool) as <- by (apply Permutation_count_occ; exact P). nia.
  - intros H. destruct (key_within _ _ _ H) as [key [l [F c]]]. exists key. repeat split; auto.
    intros pool i. destruct (best_answers pool key) as [answers [P B]]; [rewrite l; auto|].
    exists answers. split; [exact P|]. intros t _. specialize (B t). specialize (c t).
    pose proof (least_le t _ _ _ i). pose proof (Nat.mul_div_le (den * least t first others) num).
    assert (num * times t key <= den * times t pool) by nia.
    destruct (Nat.min_spec (times t pool) (times t key)) as [[_ e]|[_ e]]; rewrite e in B; nia.
Qed.

Print Assumptions order_one.
