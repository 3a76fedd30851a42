import { takenLines } from '@tillbridge/wire/terminals/abecs/classic.js';
import { fields as encodeFields } from '@tillbridge/wire/terminals/abecs/field-values.js';
import { encodeParameters } from '@tillbridge/wire/terminals/abecs/parameters.js';
import type { CommandHandler } from './device-context.js';
import { emvDataFor } from './emv-output.js';
import { StatusError } from './failure-statuses.js';

/** GED: objects of the chip transaction (ABECS 2.12 §6.9.2). */
export const getEmvData: CommandHandler = ({ session }, { fields }) => {
  const { transaction } = session;
  if (!transaction) throw new StatusError('ST_INVCALL');
  const tagList = fields.bytes('SPE_TAGLIST') ?? Buffer.alloc(0);
  return encodeParameters(encodeFields({ PP_EMVDATA: emvDataFor(tagList, transaction.open.data) }));
};

/** RMC: waits until the slot is empty and leaves its message (ABECS 2.12 §6.5.14). */
export const removeCard: CommandHandler = async ({ ui, session }, { blocks, signal }) => {
  const lines = takenLines(blocks);
  session.transaction = undefined;
  if (ui.inserted) {
    ui.show([...lines, 'RETIRE O CARTAO']);
    await ui.waitForRemoval(signal);
  }
  ui.show(lines);
  ui.setState('idle');
  return [];
};
