import { PLAIN } from '@tillbridge/platform/command-line/style.js';
import { textTable } from '@tillbridge/platform/command-line/text-table.js';
import type { TillRight } from '../access/rights.js';
import type { TillAnswer } from '../till/till-routes.js';
import type { AgentClient } from './agent-client.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of the commands of `token`. */
interface TokenOptions {
  readonly json?: boolean;
}

/** Makes a till and prints its token, once. @throws CommandError */
export async function createToken(
  client: AgentClient,
  id: string,
  rights: readonly string[],
  { json }: TokenOptions,
  output: Output,
): Promise<number> {
  // The agent checks them, and names what they should be.
  const till = await client.createTill(id, rights as readonly TillRight[]);
  if (json) output.out(JSON.stringify(till, null, 2));
  else {
    output.note(`till ${till.id} may ${till.rights.join(', ')}; its token is shown here and never again:`);
    output.out(till.token);
  }
  return EXIT.ok;
}

/** Prints the tills that have a token. @throws CommandError */
export async function listTokens(
  client: AgentClient,
  options: TokenOptions,
  output: Output,
): Promise<number> {
  return printTills(await client.tills(), options, output);
}

/** Takes the token of a till away and prints the tills that are left. @throws CommandError */
export async function revokeToken(
  client: AgentClient,
  id: string,
  options: TokenOptions,
  output: Output,
): Promise<number> {
  return printTills(await client.revokeTill(id), options, output);
}

/** Options of `tills add`. */
export interface TillsAddOptions {
  readonly right: readonly string[];
  readonly pin?: string;
  /** The address of the panel as a tablet reaches it. */
  readonly page?: string;
  readonly json?: boolean;
}

/** Makes a till where there is none of this name, and a one-time code that signs a browser in as it: as a picture to scan, and to be typed. @throws CommandError */
export async function addTill(
  client: AgentClient,
  id: string,
  { right, pin, page = client.url, json }: TillsAddOptions,
  output: Output,
): Promise<number> {
  const existing = (await client.tills()).find((till) => till.id === id);
  const isNew = existing === undefined;
  if (existing && pin !== undefined)
    throw new CommandError(EXIT.usage, `till ${id} is there already: revoke it first to give it a PIN`);
  // The agent checks them, and names what they should be. Its token is for programs: no one gets to see it here.
  if (isNew) await client.createTill(id, right as readonly TillRight[], pin);
  const { code, expiresInSeconds } = await client.signInCode(id);
  const address = `${page.replace(/\/+$/, '')}/#code=${code}`;
  if (json) {
    output.out(JSON.stringify({ till: id, code, expiresInSeconds, address }, null, 2));
    return EXIT.ok;
  }
  const qrCode = await import('qrcode');
  output.note(
    isNew
      ? `till ${id} may ${right.join(', ')}`
      : `till ${id} is there already, with its rights and ${existing.hasPin ? 'its' : 'without a'} PIN`,
  );
  output.note(
    `scan this, or open ${page} and enter the code; it works once, within ${expiresInSeconds / 60} minutes:`,
  );
  output.out(await qrCode.toString(address, { type: 'terminal', small: true, errorCorrectionLevel: 'M' }));
  output.out(code);
  return EXIT.ok;
}

function printTills(tills: readonly TillAnswer[], { json }: TokenOptions, output: Output): number {
  const { style = PLAIN } = output;
  const rows = tills.map(({ id, rights, createdAt }) => [id, rights.join(', '), createdAt]);
  if (json) output.out(JSON.stringify(tills, null, 2));
  else
    output.out(
      rows.length === 0 ? 'no till has a token' : textTable(['TILL', 'RIGHTS', 'CREATED'], rows, { style }),
    );
  return EXIT.ok;
}
