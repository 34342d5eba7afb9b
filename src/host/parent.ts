/**
 * In the environment of a process of Bun: the kernel kills it with the process that started it, however that
 * ends and whatever it is doing, and it hands the same on to those that it starts (`bun --no-orphans`;
 * PR_SET_PDEATHSIG on Linux). A compiled file obeys, too.
 */
export const diesWithParent = { BUN_FEATURE_FLAG_NO_ORPHANS: "1" } as const
