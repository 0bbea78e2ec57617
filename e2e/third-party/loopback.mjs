/*
 * Loaded before a third-party server (`node --import`), whose own files stay as published: it listens on a free
 * port of the loopback interface, whatever it asks for, says which, and ends with the process that started it.
 */
import { Server } from 'node:net';

const { listen } = Server.prototype;

/** @this {Server} @param {unknown[]} args @returns {Server} */
Server.prototype.listen = function listenOnLoopback(...args) {
  this.once('listening', () => process.send?.(this.address()));
  const done = /** @type {() => void} */ (args.findLast((arg) => typeof arg === 'function'));
  return listen.call(this, { port: 0, host: '127.0.0.1' }, done);
};

process.once('disconnect', () => process.exit(0));
