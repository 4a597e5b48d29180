"""The learner is the scheduler: what the engine could do is right, and everything else is told why it is not."""

import copy
import json
import random
from pathlib import Path

import pytest

import tfedu as tf
from tfedu.explain import outcomes
from tfedu.explain.tasks.game import Game
from tfedu.view.records import from_json, to_json
from tfedu.widgets import BeTheExecutor, Predict, StepThrough

SHARED = Path(__file__).parents[1] / "golden" / "played.json"


def race():
    """c = a + 2 beside a := 5, in no order; `extra` is not fetched."""
    with tf.Graph().as_default():
        a = tf.Variable(1.0, name="a")
        c = tf.add(a, 2, name="c")
        change = tf.assign(a, 5, name="change")
        tf.multiply(c, 3, name="extra")
    return [change, c]


def branches_and_loop():
    with tf.Graph().as_default():
        p = tf.placeholder(tf.bool, [], name="p")
        x = tf.Variable(1.0, name="x")
        chosen = tf.cond(p, lambda: tf.assign_add(x, 1.0), lambda: x * 3.0)
        i = tf.while_loop(lambda i: i < 2, lambda i: i + 1, [tf.constant(0)])
        with tf.control_dependencies([i]):
            late = tf.identity(chosen, name="late")
    return p, [late, i]


def test_a_legal_click_runs_the_node_and_an_illegal_one_is_answered_from_provenance():
    player = BeTheExecutor(race(), predict=["c"])
    assert str(player.take("c")) == "a/read has not run yet, and c needs its value (data edge)."
    assert str(player.take("extra")) == "extra does not run: nothing that is fetched needs its value or waits for it."
    assert player.take("a").legal
    assert str(player.take("a")) == "a has had its turn in this run."
    assert (player.score.legal, player.score.illegal) == (1, 3)
    assert not player.done


def test_a_control_edge_a_feed_a_loop_and_a_dead_branch_have_answers_of_their_own():
    p, fetches = branches_and_loop()
    game = Game(fetches, {p: True})
    assert str(game.take("p")) == "p does not run: it is fed, so its value comes from outside."
    assert "is in the loop while, which has not begun here: while/Enter has to" in str(game.take("while/Less"))
    for node in ["cond/pred_id", "cond/Switch", "cond/switch_f"]:
        move = game.take(node)
    assert (move.code, move.legal) == ("dead", True)
    assert game.take("cond/switch_f").code == "had_dead"
    for node in ["Const", "while/Enter", "while/Merge"]:
        assert game.take(node).code == "ran"
    assert game.take("while/Merge").code == "again"
    while "cond/Merge" not in game.ready:
        game.take(next(name for name in game.ready if name.startswith(("cond", "x"))))
    game.take("cond/Merge")
    assert game.take("late").params["waits"] == "while/Exit"


@pytest.mark.parametrize("seed", range(6))
def test_legal_is_what_the_engine_has_ready_at_every_moment_of_any_order(seed):
    p, fetches = branches_and_loop()
    game = Game(fetches, {p: seed % 2 == 0}, runs=2)
    choose = random.Random(seed)
    nodes = p.graph.get_operations()
    ran = set()
    while not game.done:
        ready, run = set(game.ready), len(game.trace.runs)
        op = choose.choice(nodes)
        move = game.take(op)
        assert move.legal == (op.name in ready)
        if "waits" in move.params and move.code in ("data", "control", "merge") and "while" not in move.params["waits"]:
            assert (run, move.params["waits"]) not in ran
        if move.legal:
            ran.add((run, op.name))
    assert len(game.order) == 2


@pytest.mark.parametrize("seed", range(4))
def test_the_learners_order_is_a_schedule_that_gives_the_same_again(seed):
    p, fetches = branches_and_loop()
    game = Game(fetches, {p: seed % 2 == 0})
    choose = random.Random(seed)
    while not game.done:
        game.take(choose.choice(game.ready))
    again = StepThrough(fetches, {p: seed % 2 == 0}, runs=1, schedule=game.order[0])
    told = to_json(game.record().end.trace)
    assert {**again.record, "number": None} == told  # nobody is asked for values in a game


def counted_loop():
    """Each iteration of the loop doubles its number, and that may fall behind the counting."""
    with tf.Graph().as_default():
        _, total = tf.while_loop(lambda i, s: i < 3, lambda i, s: (i + 1, s + tf.multiply(i, 2, name="twice")), [0, 0])
    return total


def run_ahead(player):
    """Counts to the end, and leaves in each iteration undone what doubles."""
    while ahead := next((name for name in player.game.ready if name != "while/twice/y"), None):
        player.take(ahead)


def test_a_click_asks_which_iteration_is_meant_where_several_are_ready():
    total = counted_loop()
    player = BeTheExecutor(total)
    ids = {op.name: op.id for op in total.graph.get_operations()}
    run_ahead(player)
    score = player.score
    player._take(ids["while/twice/y"])
    assert player.played["choices"] == [[0], [1], [2], [3]]
    assert player.played["move"]["code"] == "which"
    assert player.score == score
    player._take(ids["while/twice/y"], [1])
    step = player.game.trace.runs[0].steps[-1]
    assert (step.op.name, step.iteration) == ("while/twice/y", (1,))
    assert player.score.legal == score.legal + 1
    assert player.played["choices"] == []
    player._take(ids["while/twice/y"])
    assert player.played["choices"] == [[0], [2], [3]]
    player._take(ids["while/twice"])
    assert player.game.trace.runs[0].steps[-1].iteration == (1,), "one that is ready once is not asked about"
    assert player.played["choices"] == []
    assert player.take("while/twice/y").legal
    assert player.game.trace.runs[0].steps[-1].iteration == (0,), "Python takes the oldest where it names none"
    player._take(ids["while/twice/y"], [1])
    assert player.played["move"]["params"]["n"] == 1
    assert (player.played["move"]["code"], player.played["move"]["legal"]) == ("again", False)
    with pytest.raises(ValueError, match="has no iteration 7 here"):
        player._take(ids["while/twice/y"], [7])
    player._go_on()
    assert player.values == [6]
    again = StepThrough(total, runs=1, schedule=player.order[0])
    assert again.timelines[0].values == [6]


def test_an_order_that_gives_another_result_is_a_race_and_no_mistake():
    player = BeTheExecutor(race())
    for node in ["a", "change/value", "change", "a/read", "c/y", "c"]:
        assert player.take(node).legal
    assert player.done
    assert player.values == [[5.0, 7.0]]
    assert player.game.differs
    assert player.game.possible == len(outcomes(race())) == 2
    player._restart()
    player._go_on()
    assert player.values == [[5.0, 3.0]]
    assert not player.game.differs
    assert player.played["end"]["found"] == 2
    assert player.score.share == 1.0


def test_values_are_predicted_before_they_are_shown():
    player = BeTheExecutor(race(), predict=["c"])
    for node in ["a", "a/read", "c/y"]:
        player.take(node)
    before = copy.deepcopy(player.played["runs"])
    assert player.take("c").code == "asks"
    assert player.played["runs"] == before
    assert player.take("change/value").code == "answer_first"
    assert player.tell("4").code == "wrong"
    assert (player.score.right, player.score.wrong) == (0, 1)
    with pytest.raises(ValueError, match="no value is asked"):
        player.tell("3")


def test_what_is_ready_and_what_never_runs_stays_in_python_until_a_hint_or_the_end(wire):
    player = BeTheExecutor(race())
    state = wire(player).opened
    assert "pruned" not in json.dumps(state["played"])
    player.take("a")
    (run,) = player.played["runs"]
    assert run["start"]["ready"] == run["start"]["pending"] == []
    assert [step["ready"] for step in run["steps"]] == [[]]
    player._hint()
    player._hint()
    assert player.score.hints == 1
    assert player.played["runs"][0]["steps"][-1]["ready"]
    player._go_on()
    assert player.played["end"]["trace"]["pruned"]


def test_a_failing_node_ends_the_game_in_tensorflows_words():
    with tf.Graph().as_default():
        quotient = tf.floordiv(tf.constant(1), tf.constant(0), name="quotient")
    player = BeTheExecutor(quotient)
    player._go_on()
    assert player.done
    assert player.played["runs"][0]["error"] == player.played["end"]["usual"][0]["error"] is not None


def test_random_numbers_are_the_same_in_the_default_order():
    with tf.Graph().as_default():
        noise = tf.random_normal([2])
    player = BeTheExecutor(noise)
    player._go_on()
    assert not player.game.differs


def test_a_session_is_the_beginning_and_stays_as_it_is():
    fetches = race()
    with tf.Session(graph=fetches[0].graph) as session:
        session.run(fetches[0].graph.get_collection("variables")[0].initializer)
        session.run(fetches[0])
        player = BeTheExecutor(fetches[1], session=session)
        player._go_on()
        assert player.values == [[7.0]]


def test_it_waits_for_a_prediction_and_refuses_wrong_arguments():
    fetches = race()
    question = Predict({"c": fetches[1]}, runs=1)
    player = BeTheExecutor(fetches, after=question)
    assert player.locked
    assert player.svg() is None
    question.reveal()
    assert not player.locked
    assert "<svg" in player.svg()
    with pytest.raises(ValueError, match="runs must be"):
        BeTheExecutor(fetches, runs=0)
    with pytest.raises(KeyError, match="nowhere"):
        BeTheExecutor(fetches, predict=["nowhere"])
    with pytest.raises(ValueError, match="no node with the number"):
        player._take(10_000)


# -- what the front end's tests read ---------------------------------------------------------------------------------


def played():
    """A game: its record, the state after each answer, and the words of the answers; its lines' places are of no matter.

    After a wanted change of records, write it anew with `PYTHONPATH=. python tests/widgets/test_be_the_executor.py`.
    """
    player = BeTheExecutor(race(), predict=["c"], prompt="Find an order in which c is 7.")
    plays, words = [player.played], [""]

    def noted(move):
        plays.append(player.played)
        words.append("" if move is None else str(move))

    for node in ["c", "extra", "a", "change/value", "change"]:
        noted(player.take(node))
    noted(player._hint())
    words[-1] = words[-2]
    for node in ["a/read", "a", "c/y", "c"]:
        noted(player.take(node))
    noted(player.tell("7"))
    data = {"game": player.record, "plays": plays, "words": words}
    data = json.loads(json.dumps(data))
    graphs = [data["game"]["graph"], *(play["end"]["trace"]["graph"] for play in data["plays"] if play["end"])]
    for graph in graphs:
        graph["codes"] = []
        for node in graph["nodes"]:
            node["site"] = None
    return data


def test_the_shared_game_is_the_one_of_today():
    data = played()
    assert json.loads(SHARED.read_text("utf-8")) == data
    for record in [data["game"], *data["plays"]]:
        from_json(record)


if __name__ == "__main__":
    SHARED.write_text(json.dumps(played(), indent=1, sort_keys=True) + "\n", "utf-8")


def test_a_node_that_waits_at_a_queue_is_refused_and_an_enqueue_of_more_than_fits_takes_two_turns():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="queue")
        taken = queue.dequeue(name="taken")
        fetches = [queue.enqueue_many([[1, 2, 3]], name="put"), taken]
    game = Game(fetches)
    for node in game.ready:
        game.take(node)
    assert game.ready == ("put",)
    assert game.take("taken").code == "waits"
    assert [game.take(node).code for node in ("put", "put", "taken", "put")] == ["began", "waits", "ran", "ran"]
    assert game.values == [[None, 1]]
    assert tf.Session(graph=taken.graph, schedule=game.order[0]).run(fetches) == [None, 1]


def test_the_schedule_of_a_run_that_failed_has_a_node_that_had_begun_twice():
    """The dequeue of many takes the element, and gives it back as the queue is closed; another node fails first."""
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="queue")
        put, many, late = queue.enqueue(9, name="put"), queue.dequeue_many(3, name="many"), queue.enqueue(1, name="late")
        fetches = [put, many, queue.close(name="close"), late]
    game = Game(fetches)
    first = ("put", "many", "close", "late")
    for node in (*[node for node in game.ready if node not in first], "many/n", *first):
        if node in game.ready:
            game.take(node)
    assert isinstance(game.trace.runs[0].error, tf.errors.CancelledError)
    with tf.Session(graph=put.graph, schedule=game.order[0]) as session, pytest.raises(tf.errors.CancelledError):
        session.run(fetches)


def test_a_hint_names_no_node_that_waits_at_a_queue():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]], name="queue")
        fetches = [queue.dequeue(name="taken"), queue.enqueue_many([[1, 2, 3]], name="put")]
    game = Game(fetches)
    names = {node.id: node.name for node in game.begun.graph.nodes}
    while not game.done:
        hinted = game.hint()
        (*_, run) = game.record().runs
        assert [names[node] for node in (run.steps[-1].ready if run.steps else run.start.ready)] == list(hinted)
        game.take(hinted[0])
    assert game.values == [[1, None]]


def test_the_engine_finishes_a_game_in_which_a_dequeue_is_older_than_its_enqueue():
    with tf.Graph().as_default():
        queue = tf.FIFOQueue(2, tf.int32, shapes=[[]])
        fetches = [queue.dequeue(), queue.enqueue(5)]
        for_ever = [fetches[0], queue.size()]
    game = Game(fetches)
    game.go_on()
    assert game.values == [[5, None]]
    game = Game(for_ever)
    game.go_on()
    assert game.done
    assert "The run can never finish" in game.trace.runs[0].error.message


def test_a_node_waits_for_the_mutex_that_another_one_holds():
    with tf.Graph().as_default():
        x = tf.Variable(0.0, use_resource=True)
        section = tf.CriticalSection(name="section")
        first, second = [section.execute(lambda n=n: x.assign_add(n)) for n in (1.0, 2.0)]
        locks = [op.name for op in x.graph.operations if op.type == "MutexLock"]
    game = Game([first, second])
    while locks[0] not in game.ready or locks[1] not in game.ready:
        game.take(next(node for node in game.ready if node not in locks))
    assert game.take(locks[1]).code == "ran"
    assert locks[0] not in game.ready
    assert [op.name for op in game.trace.runs[0].steps[-1].held] == [locks[0]]
    assert game.take(locks[0]).code == "locked"
    game.go_on()
    assert game.values[0][0] == 3.0
