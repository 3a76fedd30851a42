import { COMMANDS, type CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import type { NeoFrame } from '@tillbridge/wire/terminals/idtech/frame.js';
import { statusOf } from '@tillbridge/wire/terminals/idtech/statuses.js';

/** What a frame is to the command that waits. `refused`: it ends with anything but success. */
type AnswerStep = 'not-ours' | 'accepted' | 'ended' | 'refused';

/**
 * Judges a frame by the command that waits for an answer. A card that was inserted ends ACTIVATE TRANSACTION with an
 * answer of the contact commands or with its own; which was not read (from public sources incomplete), and both are taken.
 */
export function judgeAnswer(name: CommandName, accepted: boolean, frame: NeoFrame): AnswerStep {
  const { command, answers } = COMMANDS[name];
  const contact = name === 'activate' && accepted && frame.command === COMMANDS.authenticate.command;
  if (frame.command !== command && !contact) return 'not-ours';
  const { hint } = statusOf(frame.second);
  const success = hint === 'ok' || hint === 'online';
  const end = success ? 'ended' : 'refused';
  switch (answers) {
    case 'once':
    case 'late':
      return end;
    case 'accepted':
      if (hint === 'accepted') return accepted ? 'not-ours' : 'accepted';
      // A success before the beginning is the late end of an earlier command.
      return success && !accepted ? 'not-ours' : end;
    case 'keypad':
      if (success && frame.data.length === 0) return accepted ? 'not-ours' : 'accepted';
      return success && !accepted ? 'not-ours' : end;
  }
}
