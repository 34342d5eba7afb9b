/**
 * Whose turn it is. Owners take turns, whatever each of them has waiting; an owner has one task under way at
 * a time, and its own tasks follow one another in the order they came.
 */
export interface Turns<Task> {
  /** A task of an owner is to be done, or to be gone on with: behind all that waits. */
  add(owner: string, task: Task): void
  /** The task to begin now, where so many may be under way at once. */
  next(places: number): Task | undefined
  /** The task under way has ended, or given way. */
  end(owner: string): void
  /** Whether something waits that cannot begin before the task of this owner has ended. */
  isInTheWay(owner: string): boolean
  /** Owners with something under way or waiting. */
  owners(): number
  running(): number
  /** Takes back all that waits. */
  clear(): Task[]
}

export function openTurns<Task>(): Turns<Task> {
  /** By owner, in the order in which they have their turn. */
  const waiting = new Map<string, Task[]>()
  const running = new Set<string>()

  function goToTheEnd(owner: string): void {
    const tasks = waiting.get(owner)
    if (!tasks) return
    waiting.delete(owner)
    waiting.set(owner, tasks)
  }

  return {
    add(owner, task) {
      const tasks = waiting.get(owner)
      if (tasks) tasks.push(task)
      else waiting.set(owner, [task])
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
      goToTheEnd(owner)
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
