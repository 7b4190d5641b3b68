// The wheel zooms about the pointer, dragging moves, a double click shows everything.
(function () {
  "use strict";
  var svg = document.documentElement;
  var all = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  var box = all.slice();
  var grip = null;

  function show() {
    svg.setAttribute("viewBox", box.join(" "));
  }

  function at(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  }

  svg.addEventListener("wheel", function (event) {
    event.preventDefault();
    var point = at(event);
    var lines = event.deltaMode === 0 ? 1 : 16;
    var by = Math.pow(1.002, Math.max(-400, Math.min(400, event.deltaY * lines)));
    var width = Math.max(all[2] / 200, Math.min(all[2] * 4, box[2] * by));
    by = width / box[2];
    box = [point.x - (point.x - box[0]) * by, point.y - (point.y - box[1]) * by, box[2] * by, box[3] * by];
    show();
  }, { passive: false });

  svg.addEventListener("pointerdown", function (event) {
    grip = event.button === 0 ? at(event) : null;
  });

  svg.addEventListener("pointermove", function (event) {
    if (!grip || !event.buttons) {
      grip = null;
      return;
    }
    var point = at(event);
    box[0] += grip.x - point.x;
    box[1] += grip.y - point.y;
    show();
  });

  svg.addEventListener("dblclick", function () {
    box = all.slice();
    show();
  });
})();
