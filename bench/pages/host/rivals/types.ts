import type { ViewConfig } from '../../shared/protocol.ts';

export interface OpenOptions {
  frames: 'single' | 'double';
  config: Partial<ViewConfig>;
  container: HTMLElement;
}
