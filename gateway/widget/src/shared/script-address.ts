/** The parameters in the address of the script. */
export interface ScriptAddress {
  /** Where the gateway is, with a slash at its end. */
  readonly base: string;
  readonly checkoutId: string;
  /** Payment details are stored, and nothing is paid. */
  readonly storesOnly: boolean;
}

const PATH = /^(.*?\/)(?:v1\/)?paymentWidgets\.js$/;

/** Reads the address of a script (reference §2.9); undefined when it is none of ours. */
function readScriptAddress(src: string): ScriptAddress | undefined {
  if (!URL.canParse(src)) return undefined;
  const { origin, pathname, searchParams } = new URL(src);
  const [, folder] = PATH.exec(pathname) ?? [];
  if (folder === undefined) return undefined;
  const [checkoutId = '', resource] = (searchParams.get('checkoutId') ?? '').split('/');
  return { base: origin + folder, checkoutId, storesOnly: resource === 'registration' };
}

/** The address of the script that runs now. */
export function scriptAddress(): ScriptAddress | undefined {
  const running = document.currentScript;
  const tags = running instanceof HTMLScriptElement ? [running] : [...document.scripts].reverse();
  for (const { src } of tags) {
    const address = readScriptAddress(src);
    if (address) return address;
  }
  return undefined;
}
