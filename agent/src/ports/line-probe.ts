/** How a serial line is set; 8 data bits and 1 stop bit always. */
export interface LineSettings {
  /** Bits per second. */
  readonly baudRate: number;
  readonly parity: 'none' | 'odd' | 'even';
}

/** Settings that hosts of the makers are seen with, the most frequent ones first. */
const SEEN: readonly LineSettings[] = [
  { baudRate: 115_200, parity: 'none' },
  { baudRate: 19_200, parity: 'none' },
  { baudRate: 9_600, parity: 'none' },
  // A public host of ABECS pin pads opens its port so.
  { baudRate: 115_200, parity: 'odd' },
  { baudRate: 19_200, parity: 'even' },
  { baudRate: 9_600, parity: 'even' },
  { baudRate: 57_600, parity: 'none' },
  { baudRate: 38_400, parity: 'none' },
];

/** What is tried on a line whose settings are not known: those of the model first. Pure. */
export function linesToTry(model: LineSettings): readonly LineSettings[] {
  const isModels = ({ baudRate, parity }: LineSettings) =>
    baudRate === model.baudRate && parity === model.parity;
  return [model, ...SEEN.filter((each) => !isModels(each))];
}

/** Finds the settings of a line: each opening has the next ones, until the terminal answers. They are tried first after a cut. */
export class LineProbe {
  readonly #lines: readonly LineSettings[];
  #next = 0;
  #current: LineSettings;
  #isFound = false;

  constructor(model: LineSettings) {
    this.#lines = linesToTry(model);
    this.#current = model;
  }

  /** Whether a terminal has answered with these settings. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** The settings of the last opening. */
  get current(): LineSettings {
    return this.#current;
  }

  /** Settings for the opening that begins now. */
  opening(): LineSettings {
    if (this.#isFound) return this.#current;
    this.#current = this.#lines[this.#next % this.#lines.length] ?? this.#current;
    this.#next += 1;
    return this.#current;
  }

  /** The terminal has answered. */
  answered(): void {
    this.#isFound = true;
  }
}
