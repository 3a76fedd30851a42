import { writeFileSync } from 'node:fs';
import type { AgentClient } from './agent-client.js';
import { CommandError, EXIT } from './exit-code.js';
import type { Output } from './sale-command.js';

/** Options of `receipt` as commander gives them; the agent checks them. */
export interface ReceiptOptions {
  readonly copy?: string;
  readonly columns?: string;
  readonly format?: string;
  readonly language?: string;
  readonly reprint?: boolean;
  readonly output?: string;
}

/**
 * Prints a receipt of a sale, or writes it into a file.
 * @throws CommandError for printer commands without a file, and where the agent refuses
 */
export async function showReceipt(
  client: AgentClient,
  reference: string,
  { output: file, reprint, ...options }: ReceiptOptions,
  output: Output,
): Promise<number> {
  const { copy, columns, format, language } = options;
  if (format === 'escpos' && file === undefined)
    throw new CommandError(
      EXIT.usage,
      '--format escpos needs --output FILE, such as the device of the printer',
    );
  const given = Object.entries({ copy, columns, format, language, ...(reprint && { reprint: 'true' }) });
  const query = new URLSearchParams(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const receipt = await client.file(`/v1/sales/${encodeURIComponent(reference)}/receipt?${query}`);
  if (file === undefined) output.out(Buffer.from(receipt).toString('utf8'));
  else writeFileSync(file, receipt);
  return EXIT.ok;
}
