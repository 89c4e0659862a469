from ttboard import _says


class DemoboardDetect:
    def PCB_str():
        return _says["carrier"]
