/** Modes of a program in a slot: every user may read it; its owner alone may change it. */
export const PROGRAM_MODES = { file: 0o644, program: 0o755, folder: 0o755 } as const;
