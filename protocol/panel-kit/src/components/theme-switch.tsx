import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { applyTheme, storedTheme, type Theme } from '../theme.js';
import { componentWords } from '../words.js';
import { Choice, type Option } from './field.js';

/** Chooses between light and dark. */
export function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const { colours, asTheSystem, light, dark } = componentWords();
  const themes: readonly Option<Theme>[] = [
    { value: 'system', label: asTheSystem, icon: 'system' },
    { value: 'light', label: light, icon: 'sun' },
    { value: 'dark', label: dark, icon: 'moon' },
  ];
  const choose = (chosen: Theme) => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return <Choice label={colours} options={themes} value={theme} onChange={choose} iconOnly />;
}
