import type { ListTotal } from './measure.ts';
import { isIndex, segmentsOf } from './pointer.ts';

/** What lists draw, item by item, by component and by where their data is. */
export interface ListTotals {
  /** Empty at first. */
  at(componentId: string, path: string): ListTotal;
  /** Data at `path` changed: what is at or below it is forgotten, and the items it belongs to are marked. */
  touch(path: string): void;
  /** The component is another now. */
  forget(componentId: string): void;
  /** Takes over another's, which must not be used any more. */
  take(other: ListTotals): void;
  readonly byComponent: ReadonlyMap<string, Place>;
}

/** A place in the data, with the list there and those below. */
interface Place {
  list?: ListTotal;
  below: Map<string, Place>;
}

export function createListTotals(): ListTotals {
  const byComponent = new Map<string, Place>();

  return {
    byComponent,
    at(componentId, path) {
      let place = byComponent.get(componentId);
      if (!place) byComponent.set(componentId, (place = { below: new Map() }));
      for (const segment of segmentsOf(path)) {
        let next = place.below.get(segment);
        if (!next) place.below.set(segment, (next = { below: new Map() }));
        place = next;
      }
      return (place.list ??= { nodes: 0, items: [], dirty: new Set() });
    },
    touch(path) {
      const segments = segmentsOf(path);
      const last = segments.pop();
      if (last === undefined) return byComponent.clear();
      for (const root of byComponent.values()) {
        let place: Place | undefined = root;
        for (const segment of segments) {
          mark(place, segment);
          place = place.below.get(segment);
          if (!place) break;
        }
        if (place) mark(place, last);
        place?.below.delete(last);
      }
    },
    forget: (componentId) => void byComponent.delete(componentId),
    take(other) {
      for (const [componentId, place] of other.byComponent) byComponent.set(componentId, place);
    },
  };
}

function mark({ list }: Place, segment: string): void {
  if (list && isIndex(segment) && Number(segment) < list.items.length) list.dirty.add(Number(segment));
}
