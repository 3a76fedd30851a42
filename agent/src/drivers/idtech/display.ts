import type { CommandName } from '@tillbridge/wire/terminals/idtech/commands.js';
import {
  encodeAddLabel,
  encodeScreenName,
  encodeUpdateLabel,
  MAX_LABEL_CHARACTERS,
} from '@tillbridge/wire/terminals/idtech/screen.js';
import { problemOf, type Result } from '../core/result.js';
import type { NeoLink } from './link.js';

const SCREEN = 'TILLBRIDGE';
const LABEL = 'TEXT';

/** The device's screen: one text of the host, or the device's own prompts. A device that refuses a text shows none. */
export class NeoDisplay {
  private readonly link: NeoLink;
  private created = false;

  constructor(link: NeoLink) {
    this.link = link;
  }

  /** Shows a text, as much of it as fits. */
  async show(text: string): Promise<Result<undefined>> {
    const label = text.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_LABEL_CHARACTERS);
    if (!this.created) {
      const problem =
        (await this.tell('createScreen', encodeScreenName(SCREEN))) ??
        (await this.tell('addObject', encodeAddLabel(SCREEN, LABEL, label)));
      if (problem) return problem;
      this.created = true;
    }
    // A screen that was there already refuses to be made again, and keeps its old text.
    return (
      (await this.tell('updateObject', encodeUpdateLabel(SCREEN, LABEL, label))) ??
      this.tell('showScreen', encodeScreenName(SCREEN))
    );
  }

  /** Lets the device show its own prompts. */
  showOwn(): Promise<Result<undefined>> {
    return this.tell('systemScreen');
  }

  private async tell(command: CommandName, data?: Uint8Array): Promise<Result<undefined>> {
    return problemOf(await this.link.execute(command, data));
  }
}
