(** Alarms about judges, checked by a program that is proved right: what is said, the program, the proof.
    Coq 8.16 and its standard library; no axiom. Only part 1 must be read to trust an exported alarm. *)
From Coq Require Import ZArith List Lia Permutation Bool Arith.
Import ListNotations.
Local Open Scope Z_scope.

(** * 1. What is said *)

(** An item with its true label: what each judge answered (a number; [None]: nothing), and the label. The
    labels are the answers 0, 1, ... below [labels]; other answers are never right. *)
Definition item := ((nat -> option nat) * nat)%type.
Definition count {A} (f : A -> bool) (l : list A) : Z := Z.of_nat (length (filter f l)).
Definition says (t : nat) (a : option nat) : bool := match a with Some b => Nat.eqb b t | None => false end.

(** What was observed: sets of judges, each with the answers that they gave together and on how many items.
    Such answers are one number of [bits] binary digits a judge, the last judge lowest: 0 for silence, a + 1
    for the answer a (with four digits, a hexadecimal digit a judge). [silence]: whether it counts as wrong. *)
Record exam := Exam { labels : nat; silence : bool; bits : N; seen : list (list nat * list (N * N)) }.
Definition answer_of (digit : N) : option nat := match digit with N0 => None | _ => Some (N.to_nat (N.pred digit)) end.
Fixpoint decode (b : N) (n : nat) (code : N) (rest : list (option nat)) : list (option nat) :=
  match n with
  | O => rest
  | S m => decode b m (N.shiftr code b) (answer_of (N.land code (N.ones b)) :: rest)
  end.
Definition table (e : exam) (s : list nat * list (N * N)) : list (list (option nat) * N) :=
  map (fun r => (decode (bits e) (length (fst s)) (fst r) [], snd r)) (snd s).
Fixpoint copies {A} (g : list (A * N)) : list A :=
  match g with [] => [] | (u, n) :: r => repeat u (N.to_nat n) ++ copies r end.

(** Items with true labels that agree with what was observed: an answer key, laid under the answers. *)
Definition agrees (e : exam) (K : list item) : Prop :=
  (forall x, In x K -> (snd x < labels e)%nat) /\
  (forall s, In s (seen e) -> Permutation (map (fun x => map (fst x) (fst s)) K) (copies (table e s))).

(** A condition: a share of items is at least, above, or at most num/den, where nothing is asked of no items;
    or ([Of_some], without a number) there are items that it is a share of. *)
Inductive quantity := Accuracy (judge label : nat) | Grade (judge : nat) | Prevalence (label : nat).
Inductive sense := At_least | Above | At_most | Of_some.
Record condition := Condition { share : quantity; how : sense; num : Z; den : Z }.
Definition held (e : exam) (a : option nat) : bool := match a with Some _ => true | None => silence e end.
Definition correct (q : quantity) (x : item) : bool :=
  match q with
  | Accuracy i t => Nat.eqb (snd x) t && says t (fst x i)
  | Grade i => says (snd x) (fst x i)
  | Prevalence t => Nat.eqb (snd x) t
  end.
Definition among (e : exam) (q : quantity) (x : item) : bool :=
  match q with
  | Accuracy i t => Nat.eqb (snd x) t && held e (fst x i)
  | Grade i => held e (fst x i)
  | Prevalence _ => true
  end.
Definition meets (e : exam) (K : list item) (c : condition) : Prop :=
  let good := count (correct (share c)) K in
  let all := count (among e (share c)) K in
  match how c with
  | At_least => num c * all <= den c * good
  | Above => all = 0 \/ num c * all < den c * good
  | At_most => den c * good <= num c * all
  | Of_some => 0 < all
  end.

(** How many items have each label. *)
Definition key (e : exam) (K : list item) : list Z :=
  map (fun t => count (fun x => Nat.eqb (snd x) t) K) (seq 0 (labels e)).

(** Of some judges only their own conditions are asked; those on prevalences are asked always. *)
Definition judge_of (q : quantity) : option nat :=
  match q with Accuracy i _ => Some i | Grade i => Some i | Prevalence _ => None end.
Definition asked_of (P : list nat) (c : condition) : Prop :=
  match judge_of (share c) with Some i => In i P | None => True end.

(** * 2. The program *)

(** How many items have a label (if one is named) and answers of some judges; sums of such numbers. *)
Definition pattern := (option nat * list (nat * option nat))%type.
Definition form := list (pattern * Z).
Definition same (a b : option nat) : bool :=
  match a, b with Some x, Some y => Nat.eqb x y | None, None => true | _, _ => false end.
Definition labelled (t : nat) (p : pattern) : bool := match fst p with Some s => Nat.eqb t s | None => true end.
Fixpoint total {A} (f : A -> Z) (l : list A) : Z := match l with [] => 0 | x :: r => f x + total f r end.
Definition scale (k : Z) (f : form) : form := map (fun p => (fst p, k * snd p)) f.

(** A row says that a form is at least a bound. Each condition is a row (for [Above] as an accuracy, a count
    of at most Q items, is above x exactly if it is x + 1/(Q den) or more, or there are no items). *)
Definition row := (form * Z)%type.
Definition good_form (L : nat) (q : quantity) : form :=
  match q with
  | Accuracy i t => [((Some t, [(i, Some t)]), 1)]
  | Grade i => map (fun t => ((Some t, [(i, Some t)]), 1)) (seq 0 L)
  | Prevalence t => [((Some t, []), 1)]
  end.
Definition all_form (e : exam) (q : quantity) : form :=
  let of t i := ((t, []), 1) :: if silence e then [] else [((t, [(i, None)]), -1)] in
  match q with
  | Accuracy i t => of (Some t) i
  | Grade i => of None i
  | Prevalence _ => [((None, []), 1)]
  end.
Definition items (e : exam) : Z :=
  match seen e with [] => 0 | s :: _ => total (fun r => Z.of_N (snd r)) (snd s) end.
Definition condition_row (e : exam) (c : condition) : row :=
  let row a b := (scale a (good_form (labels e) (share c)) ++ scale b (all_form e (share c)), 0) in
  match how c with
  | At_least => row (den c) (- num c)
  | Above => row (items e * den c) (- (items e * num c + 1))
  | At_most => row (- den c) (num c)
  | Of_some => (all_form e (share c), 1)
  end.

(** Evidence: a tree that splits on whole numbers (f <= k, or f >= k + 1), with sums of rows as leaves. *)
Definition part := list (list (nat * option nat) * Z).
Inductive cited := Asked (n : nat) | Path (n : nat) | Seen (s : nat) (f : part).
Inductive tree := Leaf (l : list (cited * Z)) | Split (f : form) (k : Z) (low high : tree).

Definition tables := list (list nat * list (list (option nat) * N)).
Definition in_judges (js : list nat) (i : nat) : bool := existsb (Nat.eqb i) js.
Fixpoint index (i : nat) (js : list nat) : nat :=
  match js with [] => O | j :: r => if Nat.eqb j i then O else S (index i r) end.
Definition mine (js : list nat) (p : list (nat * option nat) * Z) : bool :=
  match fst p with [] => false | l => forallb (fun ia => in_judges js (fst ia)) l end.
Definition at_positions (js : list nat) (f : part) : part :=
  map (fun p => (map (fun ia => (index (fst ia) js, snd ia)) (fst p), snd p)) (filter (mine js) f).
Definition others (js : list nat) (f : part) : part := filter (fun p => negb (mine js p)) f.
Definition weight (f : part) (v : list (option nat)) : Z :=
  total (fun p => if forallb (fun ia => same (nth (fst ia) v None) (snd ia)) (fst p) then snd p else 0) f.
Definition most {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | x :: r => fold_left (fun m y => Z.max m (f y)) r (f x) end.
Fixpoint most_of (T : tables) (f : part) : option Z :=
  match T with
  | [] => if forallb (fun p => match fst p with [] => true | _ => false end) f then Some (total snd f) else None
  | (js, rows) :: T' =>
      match most_of T' (others js f) with
      | Some m => Some (let g := at_positions js f in m + match g with [] => 0 | _ => most (fun r => weight g (fst r)) rows end)
      | None => None
      end
  end.
Definition of_label (t : nat) (f : form) : part :=
  map (fun p => (snd (fst p), snd p)) (filter (fun p => labelled t (fst p)) f).
Fixpoint by_label (js : list nat) (T : tables) (f : form) (ts : list nat) : option (list (part * Z)) :=
  match ts with
  | [] => Some []
  | t :: r =>
      let g := of_label t f in
      match most_of T (others js g), by_label js T f r with
      | Some m, Some l => Some ((at_positions js g, m) :: l)
      | _, _ => None
      end
  end.
(** The most that a form can be: item by item the best label, and the best answers of all but the first set. *)
Definition most_in_all (L : nat) (T : tables) (f : form) : option Z :=
  match T with
  | [] => None
  | (js, rows) :: T' =>
      match by_label js T' f (seq 0 L) with
      | Some l => Some (total (fun r => Z.of_N (snd r) * most (fun gm => snd gm + weight (fst gm) (fst r)) l) rows)
      | None => None
      end
  end.

Section Program.
Variables (L : nat) (T : tables) (asked : list row) (size : Z) (keys : list (list Z)).
Definition cite (path : list row) (c : cited) : option (bool * form * Z) :=
  match c with
  | Asked n => option_map (fun r => (false, fst r, snd r)) (nth_error asked n)
  | Path n => option_map (fun r => (false, fst r, snd r)) (nth_error path n)
  | Seen s f =>
      match nth_error T s with
      | Some (js, rows) =>
          if forallb (mine js) f
          then Some (true, map (fun p => ((None, fst p), snd p)) f,
                     let g := at_positions js f in total (fun r => Z.of_N (snd r) * weight g (fst r)) rows)
          else None
      | None => None
      end
  end.
Fixpoint added (path : list row) (l : list (cited * Z)) : option row :=
  match l with
  | [] => Some ([], 0)
  | (c, y) :: r =>
      match cite path c, added path r with
      | Some (equal, f, b), Some (g, d) => if equal || (0 <=? y) then Some (scale y f ++ g, y * b + d) else None
      | _, _ => None
      end
  end.
Definition leaf (path : list row) (l : list (cited * Z)) : bool :=
  match added path l with
  | Some (f, b) => match most_in_all L T f with Some m => m <? b | None => false end
  | None => false
  end.
(** Where the path says that each label has so many items or more, and that is all items, one key is left. *)
Definition key_row (t : nat) (n : Z) (r : row) : bool :=
  match fst r with [((Some s, []), k)] => Nat.eqb s t && (k =? 1) && (snd r =? n) | _ => false end.
Definition listed (path : list row) : bool :=
  existsb (fun k => (length k =? L)%nat && (total (fun n => n) k =? size) &&
    forallb (fun tn => existsb (key_row (fst tn) (snd tn)) path) (combine (seq 0 L) k)) keys.
Fixpoint refuted (path : list row) (t : tree) : bool :=
  match t with
  | Leaf l => leaf path l || listed path
  | Split f k low high => refuted ((scale (-1) f, - k) :: path) low && refuted ((f, k + 1) :: path) high
  end.
End Program.

Fixpoint distinct (l : list nat) : bool := match l with [] => true | x :: r => negb (in_judges r x) && distinct r end.
Definition judges (e : exam) : list nat := concat (map fst (seen e)).
Definition exam_fine (e : exam) : bool :=
  (0 <? labels e)%nat && (0 <? bits e)%N && (0 <? items e) && distinct (judges e) &&
  forallb (fun s => negb (length (fst s) =? 0)%nat && (total (fun r => Z.of_N (snd r)) (snd s) =? items e) &&
    forallb (fun r => N.eqb (N.shiftr (fst r) (N.of_nat (length (fst s)) * bits e)) 0) (snd s)) (seen e).
Definition condition_fine (e : exam) (c : condition) : bool :=
  (0 <=? num c) && (0 <? den c) &&
  match share c with
  | Accuracy i t => in_judges (judges e) i && (t <? labels e)%nat
  | Grade i => in_judges (judges e) i
  | Prevalence t => (t <? labels e)%nat
  end.
Definition decoded (e : exam) : tables := map (fun s => (fst s, table e s)) (seen e).
Definition check (e : exam) (S : list condition) (t : tree) : bool :=
  exam_fine e && forallb (condition_fine e) S && refuted (labels e) (decoded e) (map (condition_row e) S) (items e) [] [] t.
(** All keys but those listed are refuted. *)
Definition check_keys (e : exam) (S : list condition) (keys : list (list Z)) (t : tree) : bool :=
  exam_fine e && forallb (condition_fine e) S &&
  refuted (labels e) (decoded e) (map (condition_row e) S) (items e) keys [] t.

(** Panels: sets of judges that cannot meet their conditions together, and whom to blame. Of each set a judge
    falls short; sets further down avoid the judges blamed above them, so a path of n sets proves n judges short. *)
Inductive blame := Enough | Blame (conflict : nat) (each : list blame).
Definition asked_among (J : list nat) (c : condition) : bool :=
  match judge_of (share c) with Some i => in_judges J i | None => true end.
Fixpoint short (Js : list (list nat)) (n : nat) (above : list nat) (b : blame) : bool :=
  match n, b with
  | O, _ => true
  | S m, Enough => false
  | S m, Blame c each =>
      match nth_error Js c with
      | Some J => forallb (fun i => negb (in_judges above i)) J && (length each =? length J)%nat &&
                  forallb (fun ib => short Js m (fst ib :: above) (snd ib)) (combine J each)
      | None => false
      end
  end.
Definition conflicts_fine (e : exam) (S : list condition) (cs : list (list nat * tree)) : bool :=
  exam_fine e && forallb (condition_fine e) S &&
  forallb (fun c => forallb (in_judges (judges e)) (fst c) &&
    refuted (labels e) (decoded e) (map (condition_row e) (filter (asked_among (fst c)) S)) (items e) [] [] (snd c)) cs.
Definition check_panel (e : exam) (S : list condition) (k : nat) (cs : list (list nat * tree)) (b : blame) : bool :=
  conflicts_fine e S cs && (1 <=? k)%nat && (k <=? length (judges e))%nat &&
  short (map fst cs) (length (judges e) + 1 - k) [] b.

(** Groups of judges, of each of which at most one can meet its conditions; judges in no group cannot. *)
Definition excluded (Js : list (list nat)) (P : list nat) : bool := existsb (fun J => forallb (in_judges P) J) Js.
Fixpoint pairwise (Js : list (list nat)) (G : list nat) : bool :=
  match G with [] => true | i :: r => forallb (fun j => excluded Js [i; j]) r && pairwise Js r end.
Definition check_groups (e : exam) (S : list condition) (k : nat) (cs : list (list nat * tree)) (Gs : list (list nat)) : bool :=
  conflicts_fine e S cs && (length Gs <? k)%nat && forallb (pairwise (map fst cs)) Gs &&
  forallb (fun i => excluded (map fst cs) [i] || existsb (fun G => in_judges G i) Gs) (judges e).

(** Witnesses: items with an answer key, as ((answers, label), how many), all judges in order. *)
Definition item_of (e : exam) (r : N * N) : item :=
  let v := decode (bits e) (length (judges e)) (fst r) [] in (fun i => nth (index i (judges e)) v None, N.to_nat (snd r)).
Definition witness := list (N * N * N).
Definition keyed (e : exam) (w : witness) : list (item * N) := map (fun r => (item_of e (fst r), snd r)) w.
Definition number {A} (f : A -> bool) (g : list (A * N)) : Z := total (fun r => Z.of_N (snd r) * Z.b2z (f (fst r))) g.
Definition same_answers (v w : list (option nat)) : {v = w} + {v <> w}.
Proof. repeat decide equality. Defined.
Definition shows (v w : list (option nat)) : bool := if same_answers w v then true else false.
Definition agree (g h : list (list (option nat) * N)) : bool :=
  forallb (fun r => number (shows (fst r)) g =? number (shows (fst r)) h) (g ++ h).
Definition met (e : exam) (g : list (item * N)) (c : condition) : bool :=
  let good := number (correct (share c)) g in
  let all := number (among e (share c)) g in
  match how c with
  | At_least => num c * all <=? den c * good
  | Above => (all =? 0) || (num c * all <? den c * good)
  | At_most => den c * good <=? num c * all
  | Of_some => 0 <? all
  end.
Definition check_witness (e : exam) (S : list condition) (P : list nat) (w : witness) : bool :=
  let g := keyed e w in
  exam_fine e && forallb (condition_fine e) S && distinct P && forallb (in_judges (judges e)) P &&
  forallb (fun r => (snd (fst r) <? labels e)%nat) g &&
  forallb (fun s => agree (map (fun r => (map (fst (fst r)) (fst s), snd r)) g) (table e s)) (seen e) &&
  forallb (fun c => negb (asked_among P c) || met e g c) S.

(** Witnesses that have a certain key each. *)
Definition check_attained (e : exam) (S : list condition) (ws : list (list Z * witness)) : bool :=
  forallb (fun kw => check_witness e S (judges e) (snd kw) && (length (fst kw) =? labels e)%nat &&
    forallb (fun tn => number (fun x => Nat.eqb (snd x) (fst tn)) (keyed e (snd kw)) =? snd tn)
      (combine (seq 0 (labels e)) (fst kw))) ws.

(** * 3. The proof *)

Lemma total_le {A} (f g : A -> Z) l : (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lia|].
  pose proof (H x (or_introl eq_refl)). assert (total f l <= total g l) by auto. lia.
Qed.
Lemma total_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof. induction l as [|x l IH]; simpl; intros H; [easy|]. rewrite (H x), IH; auto. Qed.
Lemma total_plus {A} (f g : A -> Z) l : total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l; simpl; lia. Qed.
Lemma total_times {A} k (f : A -> Z) l : total (fun x => k * f x) l = k * total f l.
Proof. induction l; simpl; lia. Qed.
Lemma total_app {A} (f : A -> Z) l m : total f (l ++ m) = total f l + total f m.
Proof. induction l; simpl; lia. Qed.
Lemma total_zero {A} (l : list A) : total (fun _ => 0) l = 0.
Proof. induction l; simpl; lia. Qed.
Lemma total_map {A B} (h : A -> B) f l : total f (map h l) = total (fun x => f (h x)) l.
Proof. induction l; simpl; lia. Qed.
Lemma total_permuted {A} (f : A -> Z) l m : Permutation l m -> total f l = total f m.
Proof. induction 1; simpl; lia. Qed.
Lemma total_split {A} (b : A -> bool) (f : A -> Z) l :
  total f l = total f (filter b l) + total f (filter (fun x => negb (b x)) l).
Proof. induction l as [|x l IH]; simpl; [lia|]. destruct (b x); simpl; lia. Qed.
Lemma total_filter {A} (b : A -> bool) (f : A -> Z) l : total f (filter b l) = total (fun x => if b x then f x else 0) l.
Proof. induction l as [|x l IH]; simpl; [easy|]. destruct (b x); simpl; lia. Qed.
Lemma total_copies {A} (f : A -> Z) (g : list (A * N)) : total f (copies g) = total (fun r => Z.of_N (snd r) * f (fst r)) g.
Proof.
  induction g as [|[u n] g IH]; cbn [copies total fst snd]; [easy|]. rewrite total_app, IH. f_equal.
  rewrite <- (N_nat_Z n). induction (N.to_nat n) as [|m Hm]; [easy|]. cbn [repeat total]. rewrite Hm. lia.
Qed.
Lemma count_total {A} (f : A -> bool) l : count f l = total (fun x => Z.b2z (f x)) l.
Proof. unfold count. induction l as [|x l IH]; [easy|]. cbn [filter total]. destruct (f x); cbn [length Z.b2z]; lia. Qed.
Lemma count_size {A} (f : A -> bool) l : 0 <= count f l <= Z.of_nat (length l).
Proof.
  unfold count. enough (length (filter f l) <= length l)%nat by lia.
  induction l as [|x l IH]; simpl; [easy|]. destruct (f x); simpl; lia.
Qed.
Lemma in_copies {A} (u : A) g : In u (copies g) -> In u (map fst g).
Proof.
  induction g as [|[v n] g IH]; simpl; [easy|]. intros H. apply in_app_or in H as [H|H]; auto.
  left. symmetry. eapply repeat_spec; eauto.
Qed.
Lemma most_ge {A} (f : A -> Z) l x : In x l -> f x <= most f l.
Proof.
  assert (G : forall r m, m <= fold_left (fun m y => Z.max m (f y)) r m /\
    (forall y, In y r -> f y <= fold_left (fun m y => Z.max m (f y)) r m)).
  { induction r as [|z r IH]; simpl; intros m; [split; [lia|easy]|].
    destruct (IH (Z.max m (f z))) as [H1 H2]. split; [lia|]. intros y [->|Hy]; [lia|auto]. }
  destruct l as [|z l]; simpl; [easy|]. destruct (G l (f z)) as [H1 H2]. intros [->|H]; auto.
Qed.

(** What forms are worth: item by item, and in all. *)
Definition fits (p : pattern) (x : item) : bool :=
  labelled (snd x) p && forallb (fun ia => same (fst x (fst ia)) (snd ia)) (snd p).
Definition worth (f : form) (x : item) : Z := total (fun p => if fits (fst p) x then snd p else 0) f.
Definition value (K : list item) (f : form) : Z := total (worth f) K.
Lemma worth_app f g x : worth (f ++ g) x = worth f x + worth g x.
Proof. apply total_app. Qed.
Lemma worth_scale k f x : worth (scale k f) x = k * worth f x.
Proof.
  unfold worth, scale. rewrite total_map, <- total_times. apply total_ext. intros p _. cbn [fst snd].
  destruct (fits _ _); lia.
Qed.
Lemma value_app K f g : value K (f ++ g) = value K f + value K g.
Proof. unfold value. rewrite <- total_plus. apply total_ext. intros x _. apply worth_app. Qed.
Lemma value_scale K k f : value K (scale k f) = k * value K f.
Proof. unfold value. rewrite <- total_times. apply total_ext. intros x _. apply worth_scale. Qed.

Lemma same_says a t : same a (Some t) = says t a.
Proof. now destruct a. Qed.
Lemma good_worth L q x : (snd x < L)%nat -> worth (good_form L q) x = Z.b2z (correct q x).
Proof.
  intros HL. unfold worth. destruct q as [i t|i|t]; cbn [good_form].
  - cbn [total fst snd]. unfold fits. cbn [labelled forallb fst snd]. rewrite same_says, andb_true_r.
    unfold correct. destruct (_ && _); reflexivity.
  - rewrite total_map. unfold fits. cbn [labelled forallb fst snd correct].
    assert (G : forall n a, (a <= snd x)%nat -> total (fun t => if (snd x =? t)%nat && (same (fst x i) (Some t) && true) then 1 else 0) (seq a n)
      = if (snd x <? a + n)%nat then Z.b2z (says (snd x) (fst x i)) else 0).
    { induction n as [|n IH]; intros a Ha; cbn [seq total].
      - destruct (Nat.ltb_spec (snd x) (a + 0)); [lia|easy].
      - rewrite same_says, andb_true_r. destruct (Nat.eqb_spec (snd x) a) as [E|E].
        + subst a. destruct (Nat.ltb_spec (snd x) (snd x + S n)); [|lia].
          rewrite (total_ext _ (fun _ => 0)), total_zero.
          * rewrite andb_true_l. destruct (says _ _); reflexivity.
          * intros t Ht. apply in_seq in Ht. destruct (Nat.eqb_spec (snd x) t); [lia|easy].
        + rewrite IH by lia. rewrite andb_false_l. now replace (a + S n)%nat with (S a + n)%nat by lia. }
    rewrite G by lia. destruct (Nat.ltb_spec (snd x) (0 + L)); [easy|lia].
  - unfold worth, fits. cbn. destruct (_ =? _)%nat; reflexivity.
Qed.
Lemma all_worth e q x : worth (all_form e q) x = Z.b2z (among e q x).
Proof.
  destruct q as [i t|i|t]; unfold worth, all_form, among, held; try reflexivity;
    destruct (silence e), (fst x i) as [a|] eqn:E; cbn [total fst snd]; unfold fits; cbn; rewrite ?E; cbn;
    try (destruct (_ =? _)%nat); reflexivity.
Qed.
Lemma correct_among e q x : Z.b2z (correct q x) <= Z.b2z (among e q x).
Proof.
  destruct q as [i t|i|t]; cbn; unfold held; try (destruct (fst x i), (silence e); cbn);
    try (destruct (_ =? _)%nat); try (destruct (_ =? _)%nat); cbn; lia.
Qed.

Section Meaning.
Variables (e : exam) (K : list item).
Hypothesis HK : agrees e K.
Lemma in_table s x : In s (seen e) -> In x K -> In (map (fst x) (fst s)) (map fst (table e s)).
Proof.
  intros Hs Hx. destruct HK as [_ HP]. apply in_copies. eapply Permutation_in; [apply HP; exact Hs|].
  now apply (in_map (fun x => map (fst x) (fst s))).
Qed.
Lemma over_table s f : In s (seen e) ->
  total (fun x => f (map (fst x) (fst s))) K = total (fun r => Z.of_N (snd r) * f (fst r)) (table e s).
Proof.
  intros Hs. destruct HK as [_ HP]. rewrite <- total_copies, <- (total_permuted f _ _ (HP s Hs)). now rewrite total_map.
Qed.
Lemma size s : In s (seen e) -> Z.of_nat (length K) = total (fun r => Z.of_N (snd r)) (snd s).
Proof.
  intros Hs. pose proof (over_table s (fun _ => 1) Hs) as H. cbn beta in H. unfold table in H. rewrite total_map in H.
  cbn [snd] in H. rewrite (total_ext _ (fun r : N * N => Z.of_N (snd r))) in H by (intros; lia). rewrite <- H.
  clear. induction K; [easy|]. cbn [length total]. lia.
Qed.
Lemma value_good q : value K (good_form (labels e) q) = count (correct q) K.
Proof. rewrite count_total. apply total_ext. intros x Hx. apply good_worth. now apply HK. Qed.
Lemma value_all q : value K (all_form e q) = count (among e q) K.
Proof. rewrite count_total. apply total_ext. intros x _. apply all_worth. Qed.
Lemma condition_row_holds c : 0 < items e -> condition_fine e c = true -> meets e K c ->
  snd (condition_row e c) <= value K (fst (condition_row e c)).
Proof.
  intros HQ F M. unfold condition_fine in F. rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt in F. destruct F as [[Hn Hd] _].
  assert (Q : items e = Z.of_nat (length K)).
  { unfold items in *. destruct (seen e) as [|s r] eqn:E; [lia|]. rewrite (size s); [easy|]. rewrite E. now left. }
  assert (G : count (correct (share c)) K <= count (among e (share c)) K).
  { rewrite !count_total. apply total_le. intros. apply correct_among. }
  assert (A : 0 <= count (correct (share c)) K /\ count (among e (share c)) K <= items e).
  { rewrite Q. split; apply count_size. }
  unfold meets in M. unfold condition_row. set (good := count (correct (share c)) K) in *.
  set (all := count (among e (share c)) K) in *. pose proof (value_good (share c)) as Vg. fold good in Vg.
  pose proof (value_all (share c)) as Va. fold all in Va.
  destruct (how c); cbn [fst snd]; rewrite ?value_app, ?value_scale, ?Vg, ?Va; [lia| |lia|lia].
  destruct M as [M|M]; [assert (good = 0) by lia; rewrite M; lia|].
  assert (items e * 1 <= items e * (den c * good - num c * all)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(** The most that a form can be. *)
Lemma at_index (u : nat -> option nat) i js : In i js -> nth (index i js) (map u js) None = u i.
Proof.
  induction js as [|j r IH]; cbn [index map]; [easy|]. intros [->|H].
  - now rewrite Nat.eqb_refl.
  - destruct (Nat.eqb_spec j i) as [->|]; cbn [nth]; auto.
Qed.
Lemma in_judges_spec js i : in_judges js i = true <-> In i js.
Proof.
  unfold in_judges. rewrite existsb_exists. split.
  - intros (x & H & E). apply Nat.eqb_eq in E. now subst.
  - intros H. exists i. split; [easy|apply Nat.eqb_refl].
Qed.
Definition worth_part (f : part) (x : item) : Z :=
  total (fun p => if forallb (fun ia => same (fst x (fst ia)) (snd ia)) (fst p) then snd p else 0) f.
Lemma worth_positions js f x : weight (at_positions js f) (map (fst x) js) = worth_part (filter (mine js) f) x.
Proof.
  unfold weight, at_positions, worth_part. rewrite total_map. apply total_ext. intros [l k] H. cbn [fst snd].
  apply filter_In in H as [_ H]. unfold mine in H. cbn [fst] in H.
  replace (forallb (fun ia => same (nth (fst ia) (map (fst x) js) None) (snd ia)) (map (fun ia => (index (fst ia) js, snd ia)) l))
    with (forallb (fun ia => same (fst x (fst ia)) (snd ia)) l); [easy|].
  assert (G : forallb (fun ia => in_judges js (fst ia)) l = true) by now destruct l. clear H.
  induction l as [|[i a] l IH]; [easy|]. cbn [forallb map fst snd] in *. apply andb_prop in G as [G1 G2].
  apply in_judges_spec in G1. rewrite at_index, IH; auto.
Qed.
Lemma worth_split js f x :
  worth_part f x = weight (at_positions js f) (map (fst x) js) + worth_part (others js f) x.
Proof. rewrite worth_positions. apply total_split. Qed.
Lemma most_of_ok T f m x : (forall s, In s T -> In (map (fst x) (fst s)) (map fst (snd s))) ->
  most_of T f = Some m -> worth_part f x <= m.
Proof.
  revert f m. induction T as [|[js rows] T IH]; cbn [most_of]; intros f m HT E.
  - destruct (forallb _ f) eqn:A; [|discriminate]. inversion E; subst; clear E. rewrite forallb_forall in A.
    apply total_le. intros [l k] H. specialize (A _ H). cbn [fst snd] in *. destruct l; [cbn; lia|discriminate].
  - destruct (most_of T (others js f)) as [o|] eqn:Eo; [|discriminate]. inversion E; subst; clear E.
    rewrite (worth_split js). assert (worth_part (others js f) x <= o) by (apply IH; [|easy]; intros; apply HT; now right).
    destruct (at_positions js f) as [|p g] eqn:Eg; [unfold weight; cbn [total]; lia|]. rewrite <- Eg.
    specialize (HT _ (or_introl eq_refl)). cbn [fst snd] in HT. apply in_map_iff in HT as (r & Er & Hr).
    pose proof (most_ge (fun r => weight (at_positions js f) (fst r)) rows r Hr) as M. cbn beta in M. rewrite Er in M. lia.
Qed.
Lemma of_label_ok f x : worth f x = worth_part (of_label (snd x) f) x.
Proof.
  unfold worth, worth_part, of_label. rewrite total_map, total_filter. apply total_ext. intros [[s l] k] _.
  unfold fits. cbn [fst snd]. destruct (labelled _ _); cbn [andb]; [|reflexivity]. reflexivity.
Qed.
Lemma by_label_ok js T f ts l x : by_label js T f ts = Some l -> In (snd x) ts ->
  (forall s, In s T -> In (map (fst x) (fst s)) (map fst (snd s))) ->
  exists gm, In gm l /\ worth f x <= snd gm + weight (fst gm) (map (fst x) js).
Proof.
  revert l. induction ts as [|t ts IH]; cbn [by_label]; intros l E H HT; [easy|].
  destruct (most_of T (others js (of_label t f))) as [m|] eqn:Em; [|discriminate].
  destruct (by_label js T f ts) as [l'|] eqn:El; [|discriminate]. inversion E; subst; clear E. destruct H as [->|H].
  - eexists. split; [now left|]. cbn [fst snd]. rewrite of_label_ok, (worth_split js).
    pose proof (most_of_ok _ _ _ _ HT Em). lia.
  - destruct (IH l' eq_refl H HT) as (gm & Hg & Hw). exists gm. split; [now right|easy].
Qed.
Lemma most_in_all_ok f m : most_in_all (labels e) (decoded e) f = Some m -> value K f <= m.
Proof.
  unfold most_in_all, decoded. destruct (seen e) as [|s S] eqn:ES; cbn [map]; [discriminate|].
  destruct (by_label _ _ _ _) as [l|] eqn:El; [|discriminate]. intros E. inversion E; subst; clear E.
  set (g := fun v => most (fun gm => snd gm + weight (fst gm) v) l).
  apply Z.le_trans with (total (fun x => g (map (fst x) (fst s))) K).
  2: rewrite over_table; [apply Z.le_refl|rewrite ES; now left].
  apply total_le. intros x Hx.
  destruct (by_label_ok _ _ _ _ _ x El) as (gm & Hg & Hw).
  - apply in_seq. pose proof (proj1 HK x Hx). lia.
  - intros s' Hs'. apply in_map_iff in Hs' as (s0 & <- & Hs0). cbn [fst snd]. apply in_table; [|easy]. rewrite ES. now right.
  - unfold g. pose proof (most_ge (fun gm => snd gm + weight (fst gm) (map (fst x) (fst s))) l gm Hg). cbn beta in *. lia.
Qed.

(** Rows, sums of rows, trees. *)
Variable asked : list row.
Hypothesis HA : forall r, In r asked -> snd r <= value K (fst r).
Lemma seen_part s f : In s (seen e) -> forallb (mine (fst s)) f = true ->
  value K (map (fun p => ((None, fst p), snd p)) f) =
  total (fun r => Z.of_N (snd r) * weight (at_positions (fst s) f) (fst r)) (table e s).
Proof.
  intros Hs H. rewrite <- over_table by easy. apply total_ext. intros x _. rewrite worth_positions.
  rewrite forallb_forall in H. unfold worth, worth_part. rewrite total_map, total_filter.
  apply total_ext. intros p Hp. now rewrite (H p Hp).
Qed.
Lemma added_ok path l f b : (forall r, In r path -> snd r <= value K (fst r)) ->
  added (decoded e) asked path l = Some (f, b) -> b <= value K f.
Proof.
  intros HP. revert f b. induction l as [|[c y] l IH]; cbn [added]; intros f b E.
  - inversion E; subst. unfold value. now rewrite (total_ext _ (fun _ => 0)), total_zero.
  - destruct (cite _ _ _ c) as [[[equal h] d]|] eqn:Ec; [|discriminate].
    destruct (added _ _ _ l) as [[g m]|]; [|discriminate]. destruct (equal || (0 <=? y)) eqn:Ey; [|discriminate].
    inversion E; subst; clear E. specialize (IH g m eq_refl). rewrite value_app, value_scale.
    assert (H : if equal then value K h = d else d <= value K h).
    { destruct c as [n|n|n p]; cbn [cite] in Ec.
      1, 2: match type of Ec with option_map _ ?o = _ => destruct o as [r|] eqn:En; [|discriminate Ec] end.
      1, 2: injection Ec as <- <- <-; apply nth_error_In in En; auto.
      destruct (nth_error (decoded e) n) as [[js rows]|] eqn:En; [|discriminate Ec].
        destruct (forallb (mine js) p) eqn:Em; [|discriminate Ec]. inversion Ec; subst; clear Ec.
        apply nth_error_In in En. apply in_map_iff in En as (s & Es & Hs). inversion Es; subst. now apply seen_part. }
    destruct equal; [subst; lia|]. cbn [orb] in Ey. apply Z.leb_le in Ey.
    assert (y * d <= y * value K h) by (apply Z.mul_le_mono_nonneg_l; easy). lia.
Qed.
Variable keys : list (list Z).
Lemma one_label (x : item) n m : (m <= snd x < m + n)%nat -> total (fun t => Z.b2z (snd x =? t)%nat) (seq m n) = 1.
Proof.
  revert m. induction n as [|n IH]; intros m H; [lia|]. cbn [seq total]. destruct (Nat.eqb_spec (snd x) m) as [E|E].
  - rewrite (total_ext _ (fun _ => 0)), total_zero; [easy|]. intros t Ht. apply in_seq in Ht.
    destruct (Nat.eqb_spec (snd x) t); [lia|easy].
  - rewrite IH by lia. easy.
Qed.
Lemma key_total : total (fun n => n) (key e K) = Z.of_nat (length K).
Proof.
  unfold key. rewrite total_map. assert (H : forall x, In x K -> (snd x < labels e)%nat) by apply HK.
  clear - H. induction K as [|x l IH].
  - cbn [length]. rewrite (total_ext _ (fun _ => 0)) by easy. apply total_zero.
  - rewrite (total_ext _ (fun t => Z.b2z (snd x =? t)%nat + count (fun y => snd y =? t)%nat l)).
    + rewrite total_plus, IH by (intros; apply H; now right). rewrite one_label; [cbn [length]; lia|].
      specialize (H x (or_introl eq_refl)). lia.
    + intros t _. rewrite !count_total. reflexivity.
Qed.
Lemma squeezed (f : nat -> Z) k : forall n, (forall t m, In (t, m) (combine (seq n (length k)) k) -> m <= f t) ->
  total (fun n => n) k <= total f (seq n (length k)) /\
  (total f (seq n (length k)) = total (fun n => n) k -> map f (seq n (length k)) = k).
Proof.
  induction k as [|m k IH]; intros n H; cbn [length seq map total combine] in *; [split; [lia|easy]|].
  destruct (IH (S n)) as [I1 I2]; [intros; apply H; now right|]. assert (m <= f n) by (apply H; now left).
  split; [lia|]. intros E. rewrite I2 by lia. f_equal. lia.
Qed.
Lemma listed_ok path : (forall r, In r path -> snd r <= value K (fst r)) -> 0 < items e ->
  listed (labels e) (items e) keys path = true -> In (key e K) keys.
Proof.
  unfold listed. rewrite existsb_exists. intros HP HQ (k & Hk & E). rewrite !andb_true_iff, forallb_forall, Nat.eqb_eq, Z.eqb_eq in E.
  destruct E as [[EL ET] ER]. replace (key e K) with k; [easy|]. symmetry. unfold key. rewrite <- EL in *.
  apply squeezed.
  - intros t m Hm. specialize (ER _ Hm). cbn [fst snd] in ER. apply existsb_exists in ER as (r & Hr & R). specialize (HP r Hr).
    destruct r as [f n]. unfold key_row in R. cbn [fst snd] in *.
    destruct f as [|[[[s|] [|]] c] [|]]; try discriminate. rewrite !andb_true_iff, Nat.eqb_eq, !Z.eqb_eq in R.
    destruct R as [[-> ->] ->]. rewrite count_total. etransitivity; [exact HP|]. unfold value. apply total_le. intros x _.
    unfold worth, fits. cbn. destruct (_ =? _)%nat; cbn; lia.
  - pose proof key_total as H. unfold key in H. rewrite total_map, <- EL in H. rewrite H, ET. unfold items in *.
    destruct (seen e) as [|s r] eqn:Es; [lia|]. apply size. rewrite Es. now left.
Qed.
Lemma refuted_ok t : 0 < items e -> forall path, (forall r, In r path -> snd r <= value K (fst r)) ->
  refuted (labels e) (decoded e) asked (items e) keys path t = true -> In (key e K) keys.
Proof.
  intros HQ. induction t as [l|f k low IHl high IHh]; cbn [refuted]; intros path HP E.
  - apply orb_prop in E as [E|E]; [|now apply (listed_ok path)]. exfalso.
    unfold leaf in E. destruct (added _ _ _ l) as [[f b]|] eqn:Ea; [|discriminate].
    destruct (most_in_all _ _ f) as [m|] eqn:Em; [|discriminate]. apply Z.ltb_lt in E.
    apply added_ok in Ea; auto. apply most_in_all_ok in Em. lia.
  - apply andb_prop in E as [El Eh]. destruct (Z_le_gt_dec (value K f) k) as [H|H].
    + apply (IHl _) in El; auto. intros r [<-|Hr]; auto. cbn [fst snd]. rewrite value_scale. lia.
    + apply (IHh _) in Eh; auto. intros r [<-|Hr]; auto. cbn [fst snd]. lia.
Qed.
End Meaning.

(** The theorem: no answer key but those listed lets all conditions be met; if none is listed, none does. *)
Lemma keys_left e S keys t : 0 < items e -> forallb (condition_fine e) S = true ->
  refuted (labels e) (decoded e) (map (condition_row e) S) (items e) keys [] t = true ->
  forall K, agrees e K -> (forall c, In c S -> meets e K c) -> In (key e K) keys.
Proof.
  intros F C E K HK HM. eapply refuted_ok; [exact HK| |exact F| |exact E]; [|easy].
  intros r Hr. apply in_map_iff in Hr as (c & <- & Hc). rewrite forallb_forall in C. apply condition_row_holds; auto.
Qed.
Theorem keys_sound e S keys t : check_keys e S keys t = true ->
  forall K, agrees e K -> (forall c, In c S -> meets e K c) -> In (key e K) keys.
Proof.
  unfold check_keys, exam_fine. rewrite !andb_true_iff, Z.ltb_lt. intros [[F C] E]. eapply keys_left; eauto. apply F.
Qed.
Lemma refuted_sound e S t : 0 < items e -> forallb (condition_fine e) S = true ->
  refuted (labels e) (decoded e) (map (condition_row e) S) (items e) [] [] t = true ->
  forall K, agrees e K -> ~ (forall c, In c S -> meets e K c).
Proof. intros F C E K HK HM. exact (keys_left e S [] t F C E K HK HM). Qed.
Theorem check_sound e S t : check e S t = true ->
  forall K, agrees e K -> ~ (forall c, In c S -> meets e K c).
Proof.
  unfold check, exam_fine. rewrite !andb_true_iff, Z.ltb_lt. intros [[F C] E]. eapply refuted_sound; eauto. apply F.
Qed.

(** The theorem of panels: no answer key lets k judges meet their conditions. *)
Lemma distinct_spec l : distinct l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; cbn [distinct]; intros H; [constructor|]. apply andb_prop in H as [H1 H2].
  constructor; auto. intros H. apply in_judges_spec in H. now rewrite H in H1.
Qed.
Lemma short_ok (Js : list (list nat)) (P everyone : list nat) : (forall J, In J Js -> incl J everyone) ->
  (forall J, In J Js -> exists i, In i J /\ ~ In i P) ->
  forall n above b, short Js n above b = true -> NoDup above -> incl above everyone -> (forall i, In i above -> ~ In i P) ->
  exists X, NoDup X /\ length X = (n + length above)%nat /\ incl X everyone /\ (forall i, In i X -> ~ In i P).
Proof.
  intros HI HJ. induction n as [|n IH]; intros above b E ND I A; [exists above; auto|]. cbn [short] in E.
  destruct b as [|c each]; [discriminate|]. destruct (nth_error Js c) as [J|] eqn:Ec; [|discriminate].
  rewrite !andb_true_iff, !forallb_forall, Nat.eqb_eq in E. destruct E as [[Ed El] Ek]. apply nth_error_In in Ec.
  destruct (HJ J Ec) as (i & Hi & Hn).
  assert (exists b, In (i, b) (combine J each)) as [b Hb].
  { clear - Hi El. revert each El. induction J as [|j J IHJ]; intros [|b each] El; try easy.
    destruct Hi as [->|Hi]; [exists b; now left|]. destruct (IHJ Hi each) as [b' Hb]; [now inversion El|]. exists b'; now right. }
  destruct (IH (i :: above) b) as (X & X1 & X2 & X3 & X4).
  - apply (Ek _ Hb).
  - constructor; auto. intros Ha. specialize (Ed i Hi). apply in_judges_spec in Ha. now rewrite Ha in Ed.
  - intros j [<-|Hj]; auto. now apply (HI J Ec).
  - intros j [<-|Hj]; auto.
  - exists X. repeat split; auto. rewrite X2. cbn [length]. lia.
Qed.
Lemma conflict_spec e S cs K P : conflicts_fine e S cs = true -> agrees e K ->
  (forall c, In c S -> asked_of P c -> meets e K c) -> forall J, In J (map fst cs) -> exists i, In i J /\ ~ In i P.
Proof.
  unfold conflicts_fine, exam_fine. rewrite !andb_true_iff, Z.ltb_lt, !forallb_forall. intros [[F C] E] HK HM J HJ.
  apply in_map_iff in HJ as (c & <- & Hc). specialize (E c Hc). apply andb_prop in E as [_ E].
  destruct (forallb (in_judges P) (fst c)) eqn:A.
  - exfalso. rewrite forallb_forall in A. assert (Q : 0 < items e) by apply F. refine (refuted_sound _ _ _ Q _ E K HK _).
    + apply forallb_forall. intros d Hd. apply C. now apply filter_In in Hd.
    + intros d Hd. apply filter_In in Hd as [Hd G]. apply HM; [easy|]. unfold asked_of, asked_among in *.
      destruct (judge_of (share d)) as [i|]; [|easy]. apply in_judges_spec, A. now apply in_judges_spec.
  - clear - A. induction (fst c) as [|i l IH]; [discriminate|]. cbn [forallb] in A. destruct (in_judges P i) eqn:Ei.
    + destruct (IH A) as (j & Hj & Hn). exists j. split; [now right|easy].
    + exists i. split; [now left|]. intros H. apply in_judges_spec in H. congruence.
Qed.
Theorem panel_sound e S k cs b : check_panel e S k cs b = true -> forall K, agrees e K ->
  ~ exists P, NoDup P /\ incl P (judges e) /\ length P = k /\ (forall c, In c S -> asked_of P c -> meets e K c).
Proof.
  unfold check_panel. rewrite !andb_true_iff, !Nat.leb_le. intros [[[E K1] K2] B] K HK (P & ND & I & HP & HM).
  destruct (short_ok (map fst cs) P (judges e)) with (n := (length (judges e) + 1 - k)%nat) (above := @nil nat) (b := b)
    as (X & X1 & X2 & X3 & X4).
  - intros J HJ. apply in_map_iff in HJ as (c & <- & Hc). unfold conflicts_fine in E. rewrite !andb_true_iff, !forallb_forall in E.
    destruct E as [_ E]. specialize (E c Hc). apply andb_prop in E as [E _]. rewrite forallb_forall in E.
    intros i Hi. apply in_judges_spec. auto.
  - now apply (conflict_spec e S cs K).
  - exact B.
  - constructor.
  - intros i [].
  - intros i [].
  - assert (L : (length (P ++ X) <= length (judges e))%nat).
    { apply NoDup_incl_length; [|intros i Hi; apply in_app_or in Hi as [Hi|Hi]; auto].
      clear - ND X1 X4. induction P as [|p P IH]; [easy|]. inversion ND; subst. cbn [app]. constructor.
      - intros H. apply in_app_or in H as [H|H]; [easy|]. apply (X4 p H). now left.
      - apply IH; auto. intros i Hi Hp. apply (X4 i Hi). now right. }
    rewrite app_length, X2 in L. cbn [length] in L. lia.
Qed.
Lemma excluded_spec Js Q P : (forall J, In J Js -> exists i, In i J /\ ~ In i P) -> excluded Js Q = true -> ~ incl Q P.
Proof.
  intros HJ E I. unfold excluded in E. apply existsb_exists in E as (J & Hj & A). destruct (HJ J Hj) as (i & Hi & Hn).
  rewrite forallb_forall in A. apply Hn, I, in_judges_spec. auto.
Qed.
Lemma pairwise_spec Js G i j : pairwise Js G = true -> In i G -> In j G -> i <> j ->
  excluded Js [i; j] = true \/ excluded Js [j; i] = true.
Proof.
  induction G as [|g G IH]; cbn [pairwise In]; intros E Hi Hj N; [easy|]. apply andb_prop in E as [E1 E2].
  rewrite forallb_forall in E1. destruct Hi as [->|Hi], Hj as [->|Hj]; auto; easy.
Qed.
Fixpoint group_of (Gs : list (list nat)) (i : nat) : nat :=
  match Gs with [] => O | G :: r => if in_judges G i then O else S (group_of r i) end.
Lemma group_of_spec Gs i : existsb (fun G => in_judges G i) Gs = true ->
  (group_of Gs i < length Gs)%nat /\ In i (nth (group_of Gs i) Gs []).
Proof.
  induction Gs as [|G Gs IH]; cbn [existsb group_of length nth]; [easy|]. intros E. destruct (in_judges G i) eqn:D.
  - split; [lia|]. now apply in_judges_spec.
  - destruct (IH E). split; [lia|easy].
Qed.
Theorem groups_sound e S k cs Gs : check_groups e S k cs Gs = true -> forall K, agrees e K ->
  ~ exists P, NoDup P /\ incl P (judges e) /\ length P = k /\ (forall c, In c S -> asked_of P c -> meets e K c).
Proof.
  unfold check_groups. rewrite !andb_true_iff, Nat.ltb_lt. intros [[[E L] A] B] K HK (P & ND & I & HP & HM).
  pose proof (conflict_spec e S cs K P E HK HM) as HJ. rewrite forallb_forall in A, B.
  assert (HG : forall i, In i P -> (group_of Gs i < length Gs)%nat /\ In i (nth (group_of Gs i) Gs [])).
  { intros i Hi. apply group_of_spec. specialize (B i (I i Hi)). apply orb_prop in B as [B|B]; [|easy]. exfalso.
    apply (excluded_spec _ [i] P HJ B). now intros j [<-|[]]. }
  assert (ND' : NoDup (map (group_of Gs) P)).
  { clear - ND A HJ HG. assert (H : forall i j, In i P -> In j P -> group_of Gs i = group_of Gs j -> i = j).
    { intros i j Hi Hj Eq. destruct (HG i Hi) as [Li Ni], (HG j Hj) as [_ Nj]. rewrite <- Eq in Nj.
      destruct (Nat.eq_dec i j) as [|N]; [easy|]. exfalso. specialize (A _ (nth_In Gs [] Li)).
      destruct (pairwise_spec _ _ i j A Ni Nj N) as [X|X]; apply (excluded_spec _ _ P HJ X); intros x [<-|[<-|[]]]; easy. }
    clear - ND H. induction P as [|p P IH]; [constructor|]. inversion ND; subst. cbn [map]. constructor.
    - intros X. apply in_map_iff in X as (q & Eq & Hq). apply H2. rewrite <- (H q p); auto; [now right|now left].
    - apply IH; auto. intros i j Hi Hj. apply H; now right. }
  assert (X : (length (map (group_of Gs) P) <= length (seq 0 (length Gs)))%nat).
  { apply NoDup_incl_length; [easy|]. intros n Hn. apply in_map_iff in Hn as (i & <- & Hi). apply in_seq.
    destruct (HG i Hi). lia. }
  rewrite map_length, seq_length in X. lia.
Qed.

(** The theorem speaks of something: data that pass the check are those of an answer key. *)
Lemma apart {A} (l m : list A) x : NoDup (l ++ m) -> In x l -> ~ In x m.
Proof.
  induction l as [|y l IH]; cbn [app In]; intros H; [easy|]. inversion H; subst.
  intros [->|Hx]; auto. intros Hm. apply H2, in_or_app. now right.
Qed.
Lemma length_decode b n code rest : length (decode b n code rest) = (n + length rest)%nat.
Proof. revert code rest. induction n as [|n IH]; intros; cbn [decode]; [easy|]. rewrite IH. cbn [length]. lia. Qed.
Lemma at_judges js v : NoDup js -> length v = length js -> map (fun i => nth (index i js) v (@None nat)) js = v.
Proof.
  revert v. induction js as [|j js IH]; intros [|a v] ND H; try discriminate; [easy|]. inversion ND; subst.
  cbn [map index]. rewrite Nat.eqb_refl. cbn [nth]. f_equal. etransitivity; [|apply (IH v); [easy|now inversion H]].
  apply map_ext_in. intros i Hi. destruct (Nat.eqb_spec j i) as [->|]; [easy|]. reflexivity.
Qed.
Fixpoint answer (T : tables) (j i : nat) : option nat :=
  match T with
  | [] => None
  | (js, rows) :: T' => if in_judges js i then nth (index i js) (nth j (copies rows) []) None else answer T' j i
  end.
Lemma answer_ok T js rows j : NoDup (concat (map fst T)) -> In (js, rows) T ->
  length (nth j (copies rows) []) = length js -> map (answer T j) js = nth j (copies rows) [].
Proof.
  induction T as [|[ks other] T IH]; cbn [map concat fst answer In]; intros ND H HL; [easy|]. destruct H as [H|H].
  - inversion H; subst. etransitivity; [|apply at_judges].
    + apply map_ext_in. intros i Hi. apply in_judges_spec in Hi. now rewrite Hi.
    + clear - ND. induction js; [constructor|]. inversion ND; subst. constructor; auto. intros I. now apply H1, in_or_app; left.
    + easy.
  - rewrite <- IH; auto.
    + apply map_ext_in. intros i Hi. destruct (in_judges ks i) eqn:E; [|easy]. apply in_judges_spec in E. exfalso.
      apply (apart _ _ i ND E). apply in_concat. exists js. split; [|easy]. now apply (in_map fst _ _ H).
    + clear - ND. induction ks as [|k ks IHk]; [easy|]. inversion ND; auto.
Qed.
Lemma map_nth_seq {A} (d : A) l : map (fun j => nth j l d) (seq 0 (length l)) = l.
Proof.
  induction l as [|x l IH]; [easy|]. cbn [length seq map nth]. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.
Theorem some_key e : exam_fine e = true -> exists K, agrees e K.
Proof.
  unfold exam_fine. rewrite !andb_true_iff, forallb_forall, Nat.ltb_lt. intros [[[[HL _] _] ND] F].
  exists (map (fun j => (answer (decoded e) j, O)) (seq 0 (Z.to_nat (items e)))). split.
  - intros x Hx. apply in_map_iff in Hx as (j & <- & _). exact HL.
  - intros s Hs. specialize (F s Hs). rewrite !andb_true_iff, Z.eqb_eq in F. destruct F as [[_ Hn] _].
    assert (HQ : Z.to_nat (items e) = length (copies (table e s))).
    { rewrite <- Hn. apply Nat2Z.inj. rewrite Z2Nat.id.
      - pose proof (total_copies (fun _ => 1) (table e s)) as H. unfold table at 2 in H. rewrite total_map in H.
        cbn [snd] in H. rewrite (total_ext _ (fun r : N * N => Z.of_N (snd r))) in H by (intros; lia). rewrite <- H.
        clear. induction (copies _); [easy|]. cbn [length total]. lia.
      - clear. induction (snd s); cbn [total]; lia. }
    rewrite map_map. cbn [fst]. rewrite HQ.
    enough (E : map (fun j => map (answer (decoded e) j) (fst s)) (seq 0 (length (copies (table e s)))) = copies (table e s))
      by (rewrite E; apply Permutation_refl).
    etransitivity; [|apply (map_nth_seq [])]. apply map_ext_in. intros j Hj. apply (answer_ok _ _ (table e s)).
    + unfold decoded. rewrite map_map. now apply distinct_spec.
    + apply in_map_iff. exists s. auto.
    + apply in_seq in Hj. assert (H : In (nth j (copies (table e s)) []) (copies (table e s))) by (apply nth_In; lia).
      apply in_copies in H. apply in_map_iff in H as (w & <- & Hw). unfold table in Hw.
      apply in_map_iff in Hw as (r & <- & _). cbn [fst]. rewrite length_decode. cbn [length]. lia.
Qed.

(** The theorem of witnesses: some answer key lets the conditions of these judges be met. *)
Lemma count_number {A} (f : A -> bool) (g : list (A * N)) : count f (copies g) = number f g.
Proof. rewrite count_total. apply (total_copies (fun x => Z.b2z (f x))). Qed.
Lemma map_copies {A B} (f : A -> B) (g : list (A * N)) : map f (copies g) = copies (map (fun r => (f (fst r), snd r)) g).
Proof.
  induction g as [|[u n] g IH]; [easy|]. cbn [copies map fst snd]. rewrite map_app, IH. f_equal.
  induction (N.to_nat n) as [|m Hm]; [easy|]. cbn [repeat map]. now rewrite Hm.
Qed.
Lemma occurrences v l : Z.of_nat (count_occ same_answers l v) = count (shows v) l.
Proof.
  rewrite count_total. induction l as [|w l IH]; [easy|]. cbn [count_occ total]. unfold shows at 1.
  destruct (same_answers w v); cbn [Z.b2z]; lia.
Qed.
Lemma agree_ok g h : agree g h = true -> Permutation (copies g) (copies h).
Proof.
  unfold agree. rewrite forallb_forall. intros H. apply (Permutation_count_occ same_answers). intros v.
  apply Nat2Z.inj. rewrite !occurrences, !count_number.
  destruct (in_dec same_answers v (map fst (g ++ h))) as [I|I].
  - apply in_map_iff in I as (r & <- & Hr). apply Z.eqb_eq. now apply H.
  - assert (Z : forall k, incl k (g ++ h) -> number (shows v) k = 0).
    { intros k Hk. unfold number. rewrite (total_ext _ (fun _ => 0)); [apply total_zero|]. intros r Hr. unfold shows.
      destruct (same_answers (fst r) v) as [E|]; [|cbn; lia]. exfalso. apply I, in_map_iff. exists r. auto. }
    rewrite !Z; auto; intros r Hr; apply in_or_app; auto.
Qed.
Lemma met_ok e w c : met e (keyed e w) c = true -> meets e (copies (keyed e w)) c.
Proof.
  unfold met, meets. rewrite !count_number. destruct (how c); rewrite ?orb_true_iff, ?Z.leb_le, ?Z.ltb_lt, ?Z.eqb_eq; auto.
Qed.
Lemma witness_agrees e S P w : check_witness e S P w = true ->
  agrees e (copies (keyed e w)) /\ forall c, In c S -> asked_of P c -> meets e (copies (keyed e w)) c.
Proof.
  unfold check_witness. rewrite !andb_true_iff, !forallb_forall. intros [[[[[[_ _] _] _] HL] HA] HM]. repeat split.
  - intros x Hx. apply in_copies in Hx. apply in_map_iff in Hx as (r & <- & Hr). apply Nat.ltb_lt. now apply HL.
  - intros s Hs. rewrite map_copies. apply agree_ok. now apply HA.
  - intros c Hc A. specialize (HM c Hc). apply orb_prop in HM as [M|M]; [|now apply met_ok].
    exfalso. unfold asked_of, asked_among in *. destruct (judge_of (share c)) as [i|]; [|discriminate].
    apply in_judges_spec in A. now rewrite A in M.
Qed.
Theorem witness_sound e S P w : check_witness e S P w = true ->
  exists K, agrees e K /\ (NoDup P /\ incl P (judges e)) /\ forall c, In c S -> asked_of P c -> meets e K c.
Proof.
  intros E. exists (copies (keyed e w)). destruct (witness_agrees _ _ _ _ E) as [HA HM]. split; [easy|]. split; [|easy].
  unfold check_witness in E. rewrite !andb_true_iff, !forallb_forall in E. destruct E as [[[[[_ D] I] _] _] _].
  split; [now apply distinct_spec|]. intros i Hi. apply in_judges_spec. auto.
Qed.
Lemma witness_met e S w : check_witness e S (judges e) w = true ->
  agrees e (copies (keyed e w)) /\ forall c, In c S -> meets e (copies (keyed e w)) c.
Proof.
  intros E. pose proof E as E'. apply witness_agrees in E as [HA HM]. split; [easy|]. intros c Hc.
  apply HM; [easy|]. unfold check_witness in E'. rewrite !andb_true_iff in E'. destruct E' as [[[[[[_ C] _] _] _] _] _].
  rewrite forallb_forall in C. specialize (C c Hc). unfold condition_fine in C. rewrite !andb_true_iff in C.
  destruct C as [_ C]. unfold asked_of, judge_of. destruct (share c); auto; apply in_judges_spec; [|easy].
  now apply andb_prop in C.
Qed.
Theorem witness_of_all e S w : check_witness e S (judges e) w = true ->
  exists K, agrees e K /\ forall c, In c S -> meets e K c.
Proof. intros E. exists (copies (keyed e w)). now apply witness_met. Qed.
Theorem attained_sound e S ws : check_attained e S ws = true ->
  forall k, In k (map fst ws) -> exists K, agrees e K /\ (forall c, In c S -> meets e K c) /\ key e K = k.
Proof.
  unfold check_attained. rewrite forallb_forall. intros H k Hk. apply in_map_iff in Hk as ([k' w] & <- & Hw).
  specialize (H _ Hw). cbn [fst snd] in *. rewrite !andb_true_iff, Nat.eqb_eq, forallb_forall in H. destruct H as [[H HL] HN].
  exists (copies (keyed e w)). destruct (witness_met _ _ _ H) as [HA HM]. repeat split; auto; [apply HA|apply HA|].
  unfold key. rewrite <- HL in *. clear - HN. revert HN. generalize 0%nat. induction k' as [|n k' IH]; intros m HN; [easy|].
  cbn [length seq map combine] in *. rewrite IH by (intros; apply HN; now right). f_equal.
  specialize (HN _ (or_introl eq_refl)). cbn [fst snd] in HN. rewrite count_number. now apply Z.eqb_eq.
Qed.
