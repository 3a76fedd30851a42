import type { Clock } from '@tillbridge/wire/seams/clock.js';
import { displayMessage } from '@tillbridge/wire/terminals/abecs/classic.js';
import { keyIndexText } from '@tillbridge/wire/terminals/abecs/key-map.js';
import { packTableRecords } from '@tillbridge/wire/terminals/abecs/tables.js';
import { completeMagstripe } from '../core/emv-data.js';
import type { MakerSession, OpenMaker, OpenMakerLine } from '../core/maker-session.js';
import { andThen } from '../core/result.js';
import { askPerson } from './ask-person.js';
import { completeCard } from './complete-sale.js';
import type { AbecsConfig } from './config.js';
import { developmentConfig } from './default-tables.js';
import { type AbecsDevice, checkAlive, openDevice, readCondition } from './device.js';
import { twoLines } from './display-text.js';
import { endSale, showIdle, showLines } from './idle-display.js';
import { AbecsLink } from './link.js';
import { readCardOutsideSale, startSale } from './start-sale.js';

/** An open ABECS session as the driver uses it. */
function session(link: AbecsLink, config: AbecsConfig, device: AbecsDevice): MakerSession {
  return {
    identity: device.identity,
    start: (sale) => startSale({ link, config, device, ...sale }),
    complete: async (result, { iccData, facts }, { progress }) =>
      iccData.length > 0 ? completeCard(link, result, facts.entryMode, progress) : completeMagstripe(result),
    finish: (text) => endSale(link, displayMessage(...twoLines(text))),
    async interrupt() {
      if (link.blocking) await link.cancel();
    },
    showText: (text) => showLines(link, twoLines(text)),
    ask: (question, { stopped }) => askPerson(link, question, stopped),
    readCard: (sale) => readCardOutsideSale({ link, config, device, ...sale }),
    showIdle: () => showIdle(link, config),
    checkAlive: () => checkAlive(link),
    condition: () => readCondition(link, config),
  };
}

/** Checks a configuration when the terminal is opened, before any sale. @throws TerminalFormatError */
function checkConfig(config: AbecsConfig): void {
  keyIndexText(config.pinKeyIndex);
  keyIndexText(config.dataKeyIndex);
  packTableRecords(config.tables);
}

/** ABECS 2.12 with another configuration. @throws TerminalFormatError where ABECS cannot carry it */
export function openWith(config: AbecsConfig, clock: Clock): OpenMakerLine {
  checkConfig(config);
  return (pipe) => {
    const link = new AbecsLink(pipe, clock);
    return async () => andThen(await openDevice(link, config), (device) => session(link, config, device));
  };
}

/** ABECS 2.12 with the tables of the place. */
export const openMaker: OpenMaker = ({ clock, place, capks }) =>
  openWith(developmentConfig(place, capks), clock);
