import { PLAIN } from '@tillbridge/platform/command-line/style.js';
import { textTable } from '@tillbridge/platform/command-line/text-table.js';
import type { TillRight } from '../access/rights.js';
import type { TillAnswer } from '../till/till-routes.js';
import type { AgentClient } from './agent-client.js';
import { EXIT } from './exit-code.js';
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
