import type { Checker } from './check.ts';
export async function checkMessages(_check: Checker): Promise<void> {}
