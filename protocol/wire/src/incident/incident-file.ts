import { findCardData } from '../mask/card-data-scan.js';

/** Version of the incident files that this build writes and reads. */
export const INCIDENT_VERSION = 1;
/** What every incident file states of itself. */
export const INCIDENT_FORMAT = 'tillbridge-incident';

/** Limits of an incident file, by name. */
export const INCIDENT_LIMITS = {
  /** Characters of the file. */
  maxCharacters: 64 * 1_024 * 1_024,
  /** Rows of all parts together. */
  maxRows: 200_000,
} as const;

/** Who wrote an incident file: an agent of its journal, a gateway of one payment. */
export type IncidentKind = 'agent' | 'gateway';

/** What stands at the head of an incident file. */
export interface IncidentHead<K extends IncidentKind = IncidentKind> {
  readonly kind: K;
  /** Program and version. */
  readonly writtenBy: string;
  /** Version of Node.js. */
  readonly node: string;
  /** Milliseconds since 1970, the clock of the machine. */
  readonly writtenAtMs: number;
  /** What the file leaves out of what the machine has, in sentences. */
  readonly leftOut: readonly string[];
}

/** An incident as the text of its file: JSON, one value a line, so that a finding can name its line. */
export function encodeIncident<K extends IncidentKind>(head: IncidentHead<K>, content: object): string {
  return `${JSON.stringify({ format: INCIDENT_FORMAT, version: INCIDENT_VERSION, ...head, content }, undefined, 1)}\n`;
}

/** Most places that are named. */
const MAX_NAMED = 20;

/** Where a file would carry card data, a place a line; undefined where it carries none. Of the data nothing is shown. */
export function cardDataPlaces(text: string): string | undefined {
  const found = findCardData(text);
  if (found.length === 0) return undefined;
  const lines = text.split('\n');
  const places = found
    .slice(0, MAX_NAMED)
    .map(({ line, what }) => `line ${line} (${nameAt(lines[line - 1])}): ${what}`);
  const more = found.length > MAX_NAMED ? [`and ${found.length - MAX_NAMED} more`] : [];
  return [...places, ...more].join('\n  ');
}

/** The name of the value in a line of the file. */
function nameAt(line = ''): string {
  return /^\s*"([A-Za-z0-9]+)":/.exec(line)?.[1] ?? 'an entry of a list';
}
