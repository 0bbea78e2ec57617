import { readFile } from 'node:fs/promises';
import { IconApi } from '@a2ui/web_core/v0_9';
import { expect, it } from 'vitest';
import { ICON_PATHS } from './icon-paths.ts';

const names = IconApi.schema.shape.name._def.options[0]._def.values as string[];

it('has a shape for every icon of the basic catalog, and no other', () => {
  expect(Object.keys(ICON_PATHS).sort()).toEqual([...names].sort());
});

it.each(['star', 'accountCircle', 'play', 'favoriteOff'])(
  'has the shape of %s as published',
  async (name) => {
    const file = {
      star: 'star',
      accountCircle: 'account_circle',
      play: 'play_arrow',
      favoriteOff: 'favorite_border',
    }[name];
    const url = new URL(
      `../../../node_modules/@material-design-icons/svg/round/${file}.svg`,
      import.meta.url,
    );
    expect(await readFile(url, 'utf8')).toContain(`d="${ICON_PATHS[name]}"`);
  },
);
