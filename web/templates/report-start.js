"use strict";
// Unpacks the page's script and runs it: as an inline script, which the policy allows by its hash.
(async () => {
  const element = document.getElementById("script");
  const bytes = Uint8Array.from(atob(element.textContent), (c) => c.charCodeAt(0));
  element.remove();
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(plain).text();
  document.head.append(script);
})();
