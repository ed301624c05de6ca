import type { Request, Response } from "./http";
import { Logger } from "./logger";

export interface Options {
  retries: number;
  timeout?: number;
}

export type Level = "debug" | "info";

export enum State {
  Idle,
  Busy,
}

/** Sends requests. */
@injectable()
export class Client {
  private state = State.Idle;

  constructor(
    private readonly options: Options,
    private readonly logger: Logger,
  ) {}

  send(request: Request): Promise<Response>;
  send(url: string, body: string): Promise<Response>;
  async send(first: Request | string, body?: string): Promise<Response> {
    this.state = State.Busy;
    const response = await dispatch(first, body);
    this.state = State.Idle;
    return response;
  }

  close(): void {
    this.logger.info("closed");
  }
}

export const defaults: Options = { retries: 3 };

export function backoff(attempt: number, base = 100): number {
  return base * 2 ** attempt;
}
