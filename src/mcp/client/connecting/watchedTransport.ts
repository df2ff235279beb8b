import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** The SDK's transport, telling the id of each request before it is sent. */
export class WatchedTransport extends StreamableHTTPClientTransport {
  readonly #onRequest: (id: string | number) => void;

  constructor(url: URL, options: StreamableHTTPClientTransportOptions, onRequest: (id: string | number) => void) {
    super(url, options);
    this.#onRequest = onRequest;
  }

  override send(message: JSONRPCMessage, options?: Parameters<StreamableHTTPClientTransport['send']>[1]): Promise<void> {
    if (isJSONRPCRequest(message)) this.#onRequest(message.id);
    return super.send(message, options);
  }
}
