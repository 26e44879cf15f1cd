/* engine/client.ts - the page's side of the engine: a question is a promise.
 *
 * The worker is made from text. It can be stopped at any time, whatever it computes: questions that wait are then
 * refused, and `start` begins another one.
 */
import { EngineError } from './module';
import type { Answers, Kind, Question, Questions, Reply } from './protocol';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class Client {
  private worker: Worker | null = null;
  private number = 0;
  private waiting = new Map<number, Waiting>();
  onProgress: (part: number) => void = () => {};

  constructor(
    private readonly script: string,
    private readonly wasm: ArrayBuffer,
  ) {}

  async start(): Promise<void> {
    this.stop();
    const url = URL.createObjectURL(new Blob([this.script], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event: MessageEvent<Reply>) => this.hear(event.data);
    this.worker.onerror = (event) => this.drop(event.message || 'the engine cannot be started in this browser');
    await this.ask('start', { wasm: this.wasm.slice(0) });
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.drop('the engine was stopped');
  }

  ask<K extends Kind>(kind: K, value: Questions[K]): Promise<Answers[K]> {
    const worker = this.worker;
    if (!worker) return Promise.reject(new EngineError({ where: '', text: 'the engine is not running' }));
    const number = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve: resolve as (value: unknown) => void, reject });
      worker.postMessage({ number, kind, value } satisfies Question<K>);
    });
  }

  private hear(reply: Reply): void {
    if ('progress' in reply) {
      this.onProgress(reply.progress);
      return;
    }
    const waiting = this.waiting.get(reply.number);
    this.waiting.delete(reply.number);
    if ('trouble' in reply) waiting?.reject(new EngineError(reply.trouble));
    else waiting?.resolve(reply.value);
  }

  private drop(text: string): void {
    for (const waiting of this.waiting.values()) waiting.reject(new EngineError({ where: '', text }));
    this.waiting.clear();
  }
}
