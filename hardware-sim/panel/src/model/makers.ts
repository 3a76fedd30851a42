import type { DeviceType } from '@tillbridge/wire/terminals/device-types.js';

/** Makers and models as people call them. */
const MODELS: Readonly<Record<string, readonly [maker: string, model: string]>> = {
  GERTEC_PPC930: ['Gertec', 'PPC930'],
  IDTECH_VP6800: ['ID TECH', 'VP6800'],
  MAGTEK_DYNAFLEX: ['MagTek', 'DynaFlex'],
  MIURA_M020: ['Miura', 'M020'],
  NEWLAND_P180: ['Newland', 'P180'],
  VERIFONE_P400: ['Verifone', 'P400'],
} satisfies Readonly<Record<DeviceType, readonly [maker: string, model: string]>>;

/** Maker and model of a type of terminal. */
export function modelOf(deviceType: string): { readonly maker: string; readonly model: string } {
  const [maker, model] = MODELS[deviceType] ?? ['', deviceType];
  return { maker, model };
}
