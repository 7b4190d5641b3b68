import { expect, test } from 'vitest';
import { uploadOrder } from './upload-order';

test('binaries come after the profiles, and both keep their order', async () => {
  const files = [
    new Blob([new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2])]),
    new Blob(['heap profile: 1: 2']),
    new Blob(['MZ\u0000']),
    new Blob([new Uint8Array([0x1f, 0x8b])]),
    new Blob([]),
  ];
  expect((await uploadOrder(files)).map((file) => files.indexOf(file))).toEqual([1, 3, 4, 0, 2]);
});
