import type { McpUiStyles } from '@modelcontextprotocol/ext-apps';
import { useEffect, useState } from 'react';

export type Theme = 'light' | 'dark';
const STORAGE_KEY = 'theme';

/** The stored choice, or what the system prefers. */
function initialTheme(): Theme {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    if (stored === 'light' || stored === 'dark') return stored;
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function useTheme(): { theme: Theme; toggle(): void } {
  const [theme, setTheme] = useState(initialTheme);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return {
    theme,
    toggle() {
      const next = theme === 'light' ? 'dark' : 'light';
      setTheme(next);
      try {
        localStorage.setItem(STORAGE_KEY, next);
      } catch {
        // As above.
      }
    },
  };
}

const pair = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

/**
 * The host's look as the style variables of MCP Apps. Each colour holds both themes, so that a switch is one
 * word to a running app.
 */
export const styleVariables = {
  '--color-background-primary': pair('#ffffff', '#1b1c20'),
  '--color-background-secondary': pair('#f6f6f3', '#232429'),
  '--color-background-tertiary': pair('#ecece7', '#2d2f35'),
  '--color-background-info': pair('#e8eefc', '#232d45'),
  '--color-background-success': pair('#e3f4ea', '#1c3628'),
  '--color-background-danger': pair('#fdeae8', '#40211f'),
  '--color-background-warning': pair('#fdf1da', '#3b2f18'),
  '--color-text-primary': pair('#1c1d21', '#ececef'),
  '--color-text-secondary': pair('#565861', '#b1b3bb'),
  '--color-text-tertiary': pair('#6b6d76', '#92949d'),
  '--color-text-info': pair('#1d4fd8', '#8fb0ff'),
  '--color-text-success': pair('#137245', '#6fd8a0'),
  '--color-text-danger': pair('#b42318', '#ff9a8f'),
  '--color-text-warning': pair('#8a5800', '#f0bf6a'),
  '--color-border-primary': pair('#e3e3dd', '#34363d'),
  '--color-border-secondary': pair('#c9c9c2', '#4a4c55'),
  '--color-ring-primary': pair('#1d4fd8', '#8fb0ff'),
  '--font-sans': "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  '--font-mono': "ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  '--border-radius-md': '10px',
} as McpUiStyles;
