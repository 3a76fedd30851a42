import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiExample, ApiExamples } from '@tillbridge/platform/api-docs/with-examples.js';
import { ROOT } from '../stack/layout.js';

/** Set: the examples are written anew from what the programs answer, and compared the next time. */
const RECORD_VARIABLE = 'TILLBRIDGE_RECORD_EXAMPLES';

/** Of a list so many members are shown, and of a text so many characters. */
const SHOWN_MEMBERS = 2;
const SHOWN_CHARACTERS = 240;

/** What is secret where it is real, by the name of its member. */
const SECRETS: ReadonlySet<string> = new Set(['key', 'token']);
const SECRET = '0123456789abcdef'.repeat(4);
/** A shorter text of that name is none, such as the key of a group. */
const SECRET_CHARACTERS = 32;

/** The examples of a program: those that it ships, and those that this run has made. */
export class ExampleFile {
  readonly #path: string;
  readonly #made = new Map<string, ApiExample>();
  readonly shipped: ApiExamples;

  constructor(program: 'gateway' | 'agent') {
    this.#path = join(ROOT, program, 'data', 'api-examples.json');
    this.shipped = JSON.parse(readFileSync(this.#path, 'utf8')) as ApiExamples;
  }

  /** Notes an example of this run under the name of its operation. */
  note(name: string, example: ApiExample): void {
    this.#made.set(name, example);
  }

  /** Writes the examples of this run where that is wanted. */
  record(): void {
    if (process.env[RECORD_VARIABLE] !== undefined)
      writeFileSync(this.#path, `${JSON.stringify(Object.fromEntries(this.#made), null, 1)}\n`);
  }
}

/** Are examples written, so that there is nothing to compare with? */
export const isRecording = process.env[RECORD_VARIABLE] !== undefined;

/** An answer as the page shows it: lists and texts have an end, and no secret is in it. @param origin of the program that answered */
export function shownAnswer(answer: unknown, origin: string, name = ''): unknown {
  if (typeof answer === 'string') {
    if (SECRETS.has(name) && answer.length >= SECRET_CHARACTERS) return SECRET;
    const text = answer.replaceAll(origin, 'https://gateway.example');
    return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  }
  if (Array.isArray(answer)) return answer.slice(0, SHOWN_MEMBERS).map((each) => shownAnswer(each, origin));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([member, value]) => [member, shownAnswer(value, origin, member)]),
  );
}

/** The shape of an answer: its members by name, each with its type; of a list that of its first member. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, shapeOf(member)] as const)
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

/** What a new run makes anew: secrets, ids, numbers of devices, days. */
const NEW_EACH_TIME =
  /(?<![\w-])[\w-]{43}(?![\w-])|[A-Z2-7]{16}|[0-9a-f]{32}|[0-9A-F]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|\d{4}-\d\d-\d\d|\d{8}|\b\d{6}\b/g;

/** Parameters with what every run makes anew left out. */
export function comparable(parameters: unknown): unknown {
  return JSON.parse(JSON.stringify(parameters ?? {}).replaceAll(NEW_EACH_TIME, 'new'));
}
