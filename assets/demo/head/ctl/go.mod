module example.com/haul/ctl

go 1.22
