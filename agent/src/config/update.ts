import { resolve } from 'node:path';
import { entriesOf, listed } from '@tillbridge/platform/config/list-setting.js';
import { path } from '@tillbridge/platform/config/setting.js';
import { ruledText, section, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { type Static, Type } from '@tillbridge/platform/schema/type.js';

/** Minutes of a day: from the first, up to and without the second; a window may pass midnight. */
export interface DayWindow {
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** When and how the program of the agent is replaced. */
export interface UpdateConfig {
  /** Undefined: only while the store is idle and its queue is empty. */
  readonly window: DayWindow | undefined;
  /** Undefined: the root document that came with the program. */
  readonly rootFile: string | undefined;
  /** How long a new program may take to be healthy. */
  readonly healthySeconds: number;
  readonly stopCommand: readonly string[];
  readonly startCommand: readonly string[];
}

const MINUTES_OF_HOUR = 60;
const WINDOW = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** Undefined for a text of another form, and for a window without a length. */
function windowOf(text: string): DayWindow | undefined {
  const found = WINDOW.exec(text);
  if (!found) return undefined;
  const [fromHour = 0, from = 0, toHour = 0, to = 0] = found.slice(1).map(Number);
  const [fromMinute, toMinute] = [fromHour * MINUTES_OF_HOUR + from, toHour * MINUTES_OF_HOUR + to];
  return fromMinute === toMinute ? undefined : { fromMinute, toMinute };
}

const command = (description: string, word: string) =>
  listed('a program and its arguments, as a list or parted by commas', (words) => words.length > 0, {
    description,
    default: `systemctl,${word},tillbridge-agent.service`,
  });

/** The mapping `update`. */
export const UPDATE = section(
  {
    window: Type.Optional(
      ruledText(
        'two times of the day such as 02:00-05:00',
        (value) => (typeof value === 'string' && windowOf(value) ? undefined : {}),
        {
          description:
            'When the agent may be stopped for an update although its queue is not empty, in the time zone of the store; a sale under way is waited for.',
          fallback: 'never: only while no sale is open and the queue is empty',
        },
      ),
    ),
    rootFile: Type.Optional(
      path({
        description: 'Root document by which releases are trusted.',
        fallback: 'the one that came with the program',
      }),
    ),
    healthySeconds: wholeNumber(10, 3_600, {
      description:
        'How long a new program may take until it serves tills with the link and the terminals of before; then the agent goes back by itself.',
      default: 120,
    }),
    stopCommand: command('What stops the agent for an update.', 'stop'),
    startCommand: command('What starts the program that the link `current` names.', 'start'),
  },
  { default: {} },
);

/** How the program is replaced, with absolute paths. */
export function updateConfig({
  window,
  rootFile,
  healthySeconds,
  stopCommand,
  startCommand,
}: Static<typeof UPDATE>): UpdateConfig {
  return {
    window: window === undefined ? undefined : windowOf(window),
    rootFile: rootFile === undefined ? undefined : resolve(rootFile),
    healthySeconds,
    stopCommand: entriesOf(stopCommand),
    startCommand: entriesOf(startCommand),
  };
}
