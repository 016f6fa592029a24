from __future__ import annotations

from leagues.store.memory import Memory, forget_all


def test_what_was_not_used_for_longest_goes_first():
    memory: Memory[str] = Memory(10)
    for key in "abc":
        memory.put(key, key.upper(), 3)
    assert memory.get("a") == "A"
    memory.put("d", "D", 3)
    assert [memory.get(key) for key in "abcd"] == ["A", None, "C", "D"]


def test_a_value_in_the_place_of_another_takes_its_room():
    memory: Memory[str] = Memory(10)
    memory.put("a", "A", 4)
    memory.put("b", "B", 9)
    assert memory.get("a") is None
    memory.put("b", "b", 2)
    memory.put("c", "C", 8)
    assert [memory.get(key) for key in "bc"] == ["b", "C"]


def test_a_value_that_is_larger_than_all_room_is_kept_alone():
    memory: Memory[str] = Memory(10)
    memory.put("a", "A", 4)
    memory.put("large", "L", 99)
    assert [memory.get(key) for key in ("a", "large")] == [None, "L"]


def test_all_memories_are_forgotten_at_once():
    memory: Memory[str] = Memory(10)
    memory.put("a", "A", 4)
    forget_all()
    assert memory.get("a") is None


def test_several_large_values_that_are_asked_for_together_stay() -> None:
    memory: Memory[str] = Memory(10, times_largest=3)
    for key in "abc":
        memory.put(key, key, 50)
    assert [memory.get(key) for key in "abc"] == ["a", "b", "c"]
    memory.put("d", "d", 1)
    assert [memory.get(key) for key in "abcd"] == [None, "b", "c", "d"]
    memory.clear()
    for key in "efgh":
        memory.put(key, key, 3)
    assert [memory.get(key) for key in "efgh"] == [None, "f", "g", "h"]
