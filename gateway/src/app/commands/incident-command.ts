import { printJson } from '@tillbridge/platform/command-line/print-result.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { present } from '@tillbridge/wire/present.js';
import type { Command } from 'commander';
import { addCommand, type ConfigOption, withHomeStore } from '../../kernel/commands/command.js';

interface IncidentOptions extends ConfigOption {
  readonly output?: string;
}

/** `export-incident`. */
export function addIncidentCommand(program: Command): void {
  addCommand(
    program,
    'export-incident <payment>',
    'Write all rows of a payment and what follows it into one masked file that can be replayed. Texts that look like card data are masked and named.',
  )
    .option('--output <file>', 'a new file (default: tillbridge-incident-PAYMENT.json)')
    .action(exportIncident);
}

async function exportIncident(paymentId: string, { readConfig, output }: IncidentOptions): Promise<void> {
  const { writeIncident } = await import('../incident/write-incident.js');
  const request = { paymentId, nowMs: systemClock.nowMs(), ...present({ output }) };
  printJson(await withHomeStore(readConfig(), (store) => writeIncident(store, request)));
}
