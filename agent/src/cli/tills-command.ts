import type { TillRight } from '../access/rights.js';
import type { AgentClient } from './agent-client.js';
import { EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

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
  const isNew = !(await client.tills()).some((till) => till.id === id);
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
    isNew ? `till ${id} may ${right.join(', ')}` : `till ${id} is there already, with its rights and its PIN`,
  );
  output.note(
    `scan this, or open ${page} and enter the code; it works once, within ${expiresInSeconds / 60} minutes:`,
  );
  output.out(await qrCode.toString(address, { type: 'terminal', small: true, errorCorrectionLevel: 'M' }));
  output.out(code);
  return EXIT.ok;
}
