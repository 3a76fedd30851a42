/** What components say of themselves. */
export interface ComponentWords {
  readonly close: string;
  readonly back: string;
  readonly dismiss: string;
  readonly messages: string;
  readonly colours: string;
  readonly asTheSystem: string;
  readonly light: string;
  readonly dark: string;
}

let words: ComponentWords = {
  close: 'Close',
  back: 'Back',
  dismiss: 'Dismiss',
  messages: 'Messages',
  colours: 'Colours',
  asTheSystem: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

/** The words in the language of the page; default: English. */
export function componentWords(): ComponentWords {
  return words;
}

/** Gives the components the words of another language, before anything is drawn. */
export function sayWith(others: ComponentWords): void {
  words = others;
}
