/**
 * A round-robin queue. Owners take turns, however many tasks each of them has waiting. An owner has one task
 * running at a time, and its tasks run in the order they came.
 */
export interface Turns<Task> {
  /** Adds a task behind all tasks of its owner: a new one, or one that gave way and resumes later. */
  add(owner: string, task: Task): void
  /** The task to start now, when at most `places` may run at once. */
  next(places: number): Task | undefined
  /** The owner's running task has ended or given way. */
  end(owner: string): void
  /** Whether a waiting task cannot start before the running task of this owner ends. */
  isInTheWay(owner: string): boolean
  /** Number of owners with a task running or waiting. */
  owners(): number
  running(): number
  /** Removes and returns all waiting tasks. */
  clear(): Task[]
}

export function openTurns<Task>(): Turns<Task> {
  /** By owner, the owner whose turn is next first. */
  const waiting = new Map<string, Task[]>()
  const running = new Set<string>()

  function moveToEnd(owner: string): void {
    const tasks = waiting.get(owner)
    if (!tasks) return
    waiting.delete(owner)
    waiting.set(owner, tasks)
  }

  return {
    add(owner, task) {
      waiting.getOrInsert(owner, []).push(task)
    },
    next(places) {
      if (running.size >= places) return undefined
      for (const [owner, tasks] of waiting) {
        if (running.has(owner)) continue
        const task = tasks.shift()
        if (tasks.length === 0) waiting.delete(owner)
        running.add(owner)
        return task
      }
      return undefined
    },
    end(owner) {
      running.delete(owner)
      moveToEnd(owner)
    },
    isInTheWay: (owner) => [...waiting.keys()].some((other) => other === owner || !running.has(other)),
    owners: () => new Set([...waiting.keys(), ...running]).size,
    running: () => running.size,
    clear() {
      const tasks = [...waiting.values()].flat()
      waiting.clear()
      return tasks
    },
  }
}
