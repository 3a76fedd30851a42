import type { AgentIncident } from '@tillbridge/agent/incident/agent-incident.js';
import type { GatewayIncident } from '@tillbridge/gateway/app/incident/gateway-incident.js';
import { placeText } from '@tillbridge/platform/schema/fault.js';
import { reader } from '@tillbridge/platform/schema/reader.js';
import {
  INCIDENT_FORMAT,
  INCIDENT_LIMITS,
  INCIDENT_VERSION,
  type IncidentHead,
} from '@tillbridge/wire/incident/incident-file.js';
import { AGENT_CONTENT, GATEWAY_CONTENT, HEAD } from './incident-schema.js';

/** A file is no incident file that this build can read; the text says why and what to do. */
export class IncidentFileError extends Error {
  override readonly name = 'IncidentFileError';
}

/** An incident file as it was read. */
export type Incident =
  | (IncidentHead<'agent'> & { readonly content: AgentIncident })
  | (IncidentHead<'gateway'> & { readonly content: GatewayIncident });

const refuse =
  (whole: string) =>
  (path: readonly string[], problem: string): Error =>
    new IncidentFileError(`${placeText(path) || whole} ${problem}`);

const readHead = reader(HEAD, refuse('the file'));
const readAgent = reader(AGENT_CONTENT, refuse('content'));
const readGateway = reader(GATEWAY_CONTENT, refuse('content'));

/** Reads the text of an incident file. @throws IncidentFileError */
export function readIncident(text: string): Incident {
  if (text.length > INCIDENT_LIMITS.maxCharacters)
    throw new IncidentFileError(
      `the file has ${text.length} characters, at most ${INCIDENT_LIMITS.maxCharacters} are read: export a shorter time`,
    );
  const value = parsed(text);
  checkFormat(value);
  const { kind, writtenBy, node, writtenAtMs, leftOut, content } = readHead(value);
  const head = { writtenBy, node, writtenAtMs, leftOut };
  if (kind === 'gateway') return { kind, ...head, content: readGateway(content) };
  const read = readAgent(content);
  const rows = read.sales.reduce((sum, sale) => sum + sale.rows.length, read.others.length);
  if (rows > INCIDENT_LIMITS.maxRows)
    throw new IncidentFileError(`the file has ${rows} rows, at most ${INCIDENT_LIMITS.maxRows} are read`);
  return { kind, ...head, content: read };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const isCut = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
    throw new IncidentFileError(
      isCut
        ? 'the file ends in the middle: copy it again, or export it again'
        : 'the file is no JSON: name one that "export-incident" wrote',
    );
  }
}

/** Before anything else is looked at: another version may have another form. */
function checkFormat(value: unknown): void {
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly format?: unknown;
    readonly version?: unknown;
  };
  if (format !== INCIDENT_FORMAT)
    throw new IncidentFileError(
      `the file is no incident file: expected the format "${INCIDENT_FORMAT}" that "export-incident" writes`,
    );
  if (version !== INCIDENT_VERSION)
    throw new IncidentFileError(
      typeof version === 'number' && version > INCIDENT_VERSION
        ? `a newer build wrote the file (version ${version}): replay it with that build; this one reads version ${INCIDENT_VERSION}`
        : `this build reads version ${INCIDENT_VERSION} of incident files: export it again`,
    );
}
