import type { ErrorGroup, ErrorTable } from '@tillbridge/wire/errors/error-row.js';

/** Codes of {@link DatabaseError}. */
export const DATABASE_FAULTS = {
  'disk-full': ['the disk of the database is full', 'make room on the disk'],
  'read-only': ['the database cannot be written', 'make file, folder and disk writable'],
  'cannot-open': ['the database file cannot be opened', 'check that its folder exists and may be written'],
  locked: ['another process keeps the database locked', 'end the other process'],
  'io-error': ['the disk of the database failed', 'check the disk; the log names the operation'],
  corrupt: ['the database file is damaged', 'restore it from its copy'],
  overloaded: ['too many statements wait for the database', 'try again later'],
  closed: ['the database is closed', 'start the program again'],
} as const satisfies ErrorGroup;

/** Errors by which every program refuses to start, with the exit code. */
export const START_ERRORS = {
  ConfigError: ['the configuration is wrong', 'correct the settings that the message names', 2],
  HomeInUseError: ['another process works in this home', 'stop it, or give another home', 2],
  HomeUnusableError: ['the home cannot be made or written', 'correct its permissions', 2],
  PreflightError: ['the machine lacks what the program needs', 'do what each line of the message states', 2],
  PortInUseError: ['another program uses the port, or this one may not', 'stop it, or set another port', 2],
} as const satisfies ErrorGroup;

/** Classes that have no codes. */
const CLASSES = {
  ConstraintError: [
    'the values break a constraint of the schema',
    'correct the argument at the place that makes the call',
  ],
  FileLockError: ['another process has the file locked', 'wait until it is done, then try again'],
  SchemaTooNewError: ['a newer build wrote the database', 'run that build or a newer one'],
} as const satisfies ErrorGroup;

/** All errors of the package. */
export const ERROR_TABLE = {
  'Errors of a start': START_ERRORS,
  'Classes without codes': CLASSES,
  DatabaseError: DATABASE_FAULTS,
} as const satisfies ErrorTable;

/** Codes that were given up, as `Class code`; none of them is used again. */
export const RETIRED: readonly string[] = [];
